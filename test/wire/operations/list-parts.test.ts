/** Tests of ListParts over HTTP. */

import { expect, test } from 'vitest';
import { bytesBody } from '../../../src/object-store/body.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

/** Returns the XML of a part with the content `hello`. */
const part = (number: number) =>
  `<Part><PartNumber>${number}</PartNumber><LastModified>2026-11-21T12:00:00.000Z</LastModified>` +
  '<ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;</ETag><Size>5</Size>' +
  '<ChecksumCRC32>NhCmhg==</ChecksumCRC32></Part>';

/** XML of the user who created the multipart upload. */
const ADA = '<ID>p1:ada@c1</ID><DisplayName>p1:ada@c1</DisplayName>';

inBothDialects(new WireBench(), (wire) => {
  const upload = () => ({ bucket: wire.get('box'), key: 'k ü', uploadId: wire.get('id') });
  const begin = async (...numbers: readonly number[]) => {
    const { bucket, key } = { bucket: wire.get('box'), key: 'k ü' };
    wire.name('id', (await wire.store.createUpload({ bucket, key })).uploadId);
    for (const partNumber of numbers) {
      await wire.store.uploadPart({ ...upload(), partNumber, body: bytesBody('hello') });
    }
  };
  const line = 'GET /{box}/k%20%C3%BC?uploadId={id}';
  const result = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body:
      `<ListPartsResult xmlns="${wire.dialect.xmlNamespace}"><Bucket>{box}</Bucket><Key>k ü</Key>` +
      `<UploadId>{id}</UploadId><Initiator>${ADA}</Initiator><Owner>${ADA}</Owner>${inside}` +
      '<StorageClass>STANDARD</StorageClass></ListPartsResult>',
  });

  test('ListParts of a multipart upload without parts returns an empty page', async () => {
    await begin();
    expect(await wire.ask(line, { as: colleague })).toEqual(
      result(
        '<PartNumberMarker>0</PartNumberMarker><MaxParts>1000</MaxParts><IsTruncated>false</IsTruncated>',
      ),
    );
  });

  test('[mpu-10] ListParts returns the parts sorted by part number, in pages', async () => {
    await begin(10, 2, 1);
    expect(await wire.ask(`${line}&max-parts=2`)).toEqual(
      result(
        '<PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>2</NextPartNumberMarker>' +
          `<MaxParts>2</MaxParts><IsTruncated>true</IsTruncated>${part(1)}${part(2)}`,
      ),
    );
    expect(await wire.ask(`${line}&max-parts=2&part-number-marker=2`)).toEqual(
      result(
        '<PartNumberMarker>2</PartNumberMarker><MaxParts>2</MaxParts>' +
          `<IsTruncated>false</IsTruncated>${part(10)}`,
      ),
    );
  });

  test.each([
    ['&part-number-marker=0', [1, 2, 10]],
    ['&part-number-marker=3', [10]],
    ['&part-number-marker=10', []],
    ['&max-parts=1001', [1, 2, 10]],
    ['&max-parts=0', []],
    ['&max-parts=&part-number-marker=', [1, 2, 10]],
  ])('ListParts with the query "%s" returns %j', async (query, expected) => {
    await begin(1, 2, 10);
    const { body } = await wire.ask(line + query);
    expect((body.match(/(?<=<PartNumber>)\d+/g) ?? []).map(Number)).toEqual(expected);
  });

  refusesStrangers(wire, 'GET /{box}/k?uploadId=x');

  const noUpload = (UploadId = '{id}') => ({ status: 404, Code: 'NoSuchUpload', UploadId });
  wire.refuses(
    [
      ['an unknown upload id', 'GET /{box}/k?uploadId=x', {}, noUpload('x')],
      ['a multipart upload of another key', 'GET /{box}/other?uploadId={id}', {}, noUpload()],
      ...(
        [
          ['max-parts', '-1'],
          ['max-parts', 'x'],
          ['part-number-marker', 'x'],
          ['part-number-marker', '-1'],
        ] as const
      ).map(
        ([name, value]) =>
          [
            `the parameter ${name}=${value}`,
            `${line}&${name}=${value}`,
            {},
            { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
          ] as const,
      ),
      [
        'an empty upload id',
        'GET /{box}/k?uploadId=',
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'uploadId', ArgumentValue: '' },
      ],
    ],
    () => begin(1),
  );
});
