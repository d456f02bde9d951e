/** Tests of ListMultipartUploads over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

/** XML of the user who created the multipart uploads. */
const ADA = '<ID>p1:ada@c1</ID><DisplayName>p1:ada@c1</DisplayName>';

inBothDialects(new WireBench(), (wire) => {
  const begin = async (key: string, name = key) => {
    const { uploadId } = await wire.store.createUpload({ bucket: wire.get('box'), key });
    wire.name(name, uploadId);
  };
  const upload = (key: string, name = key) =>
    `<Upload><Key>${key}</Key><UploadId>{${name}}</UploadId>` +
    `<Initiated>2026-11-21T12:00:00.000Z</Initiated><Initiator>${ADA}</Initiator>` +
    `<Owner>${ADA}</Owner><StorageClass>STANDARD</StorageClass></Upload>`;
  const result = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body:
      `<ListMultipartUploadsResult xmlns="${wire.dialect.xmlNamespace}"><Bucket>{box}</Bucket>` +
      `${inside}</ListMultipartUploadsResult>`,
  });
  const keys = async (query: string) =>
    (await wire.ask(`GET /{box}?uploads${query}`)).body.match(/(?<=<Key>)[^<]+/g) ?? [];

  test('ListMultipartUploads of a bucket without multipart uploads returns an empty page', async () => {
    expect(await wire.ask('GET /{box}/?uploads=', { as: colleague })).toEqual(
      result(
        '<Prefix/><KeyMarker/><UploadIdMarker/><MaxUploads>1000</MaxUploads><IsTruncated>false</IsTruncated>',
      ),
    );
  });

  test('[mpu-11] ListMultipartUploads returns uploads sorted by key and start time, in pages', async () => {
    await begin('b');
    await begin('a', 'first');
    await begin('a', 'second');
    expect(await wire.ask('GET /{box}?uploads&max-uploads=1')).toEqual(
      result(
        '<Prefix/><KeyMarker/><UploadIdMarker/><NextKeyMarker>a</NextKeyMarker>' +
          '<NextUploadIdMarker>{first}</NextUploadIdMarker><MaxUploads>1</MaxUploads>' +
          `<IsTruncated>true</IsTruncated>${upload('a', 'first')}`,
      ),
    );
    expect(await wire.ask('GET /{box}?uploads&key-marker=a&upload-id-marker={first}')).toEqual(
      result(
        '<Prefix/><KeyMarker>a</KeyMarker><UploadIdMarker>{first}</UploadIdMarker>' +
          `<MaxUploads>1000</MaxUploads><IsTruncated>false</IsTruncated>${upload('a', 'second')}${upload('b')}`,
      ),
    );
  });

  test.each([
    ['', ['Z', 'a', 'a/1', 'b']],
    ['&prefix=a', ['a', 'a/1']],
    ['&key-marker=a', ['a/1', 'b']],
    ['&key-marker=a&prefix=a', ['a/1']],
    ['&max-uploads=0', []],
    ['&max-uploads=', ['Z', 'a', 'a/1', 'b']],
    ['&max-uploads=2000', ['Z', 'a', 'a/1', 'b']],
  ])('ListMultipartUploads with the query "%s" returns %j', async (query, expected) => {
    for (const key of ['b', 'a/1', 'Z', 'a']) await begin(key);
    expect(await keys(query)).toEqual(expected);
  });

  test('ListMultipartUploads with a delimiter groups keys into common prefixes, also across pages', async () => {
    for (const key of ['a', 'b/ü', 'b/2', 'c']) await begin(key);
    const { body } = await wire.ask('GET /{box}?uploads&delimiter=/&encoding-type=url');
    expect(body).toContain('<Delimiter>/</Delimiter>');
    expect(body.match(/(?<=<(?:Key|Prefix)>)[^<]+/g)).toEqual(['a', 'c', 'b/']);
    const page = await wire.ask('GET /{box}?uploads&delimiter=/&max-uploads=2');
    expect(page.body).toContain('<NextKeyMarker>b/</NextKeyMarker>');
    expect(page.body).not.toContain('<NextUploadIdMarker>');
    expect(await keys('&delimiter=/&key-marker=b/')).toEqual(['c']);
  });

  test('ListMultipartUploads percent-encodes keys with encoding-type=url', async () => {
    await begin('k ü', 'id');
    expect(
      await wire.ask('GET /{box}?uploads&encoding-type=url&prefix=k%20&key-marker=a%20'),
    ).toEqual(
      result(
        '<Prefix>k%20</Prefix><KeyMarker>a%20</KeyMarker><UploadIdMarker/><MaxUploads>1000</MaxUploads>' +
          `<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${upload('k%20%C3%BC', 'id')}`,
      ),
    );
  });

  test('ListMultipartUploads does not return aborted uploads', async () => {
    await begin('a', 'id');
    await wire.send('DELETE /{box}/a?uploadId={id}');
    expect(await keys('')).toEqual([]);
  });

  refusesStrangers(wire, 'GET /{box}?uploads');

  wire.refuses(
    (
      [
        ['max-uploads', 'x'],
        ['max-uploads', '-1'],
        ['encoding-type', 'x'],
      ] as const
    ).map(([name, value]) => [
      `the parameter ${name}=${value}`,
      `GET /{box}?uploads&${name}=${value}`,
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
    ]),
  );
});
