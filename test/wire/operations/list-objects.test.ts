/** Tests of ListObjects (version 1 of the listing API) over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { accessKey, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const ID = accessKey.accessKeyId;
const OWNER = `<Owner><ID>${ID}</ID><DisplayName>${ID}</DisplayName></Owner>`;

inBothDialects(new WireBench(), (wire) => {
  const withKeys = async (...keys: readonly string[]) => {
    for (const key of keys) await wire.put(key, 'x');
  };
  const list = async (query = '') => (await wire.send(`GET /{box}${query}`)).text();
  const namesIn = (page: string) => page.match(/(?<=<Key>|<CommonPrefixes><Prefix>)[^<]+/g) ?? [];
  const result = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<ListBucketResult xmlns="${wire.dialect.xmlNamespace}">${inside}</ListBucketResult>`,
  });

  test.each(['GET /{box}', 'GET /{box}/', 'GET /{box}?x-id=ListObjects'])(
    '%s returns an empty page for an empty bucket',
    async (line) => {
      expect(await wire.ask(line)).toEqual(
        result(
          '<Name>{box}</Name><Prefix/><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><Marker/>',
        ),
      );
    },
  );

  test('[svc-9] ListObjects returns keys, common prefixes and the parameters of the request', async () => {
    await withKeys('a', 'b/1', 'b/2', 'c');
    expect(await wire.ask('GET /{box}?delimiter=/&max-keys=2&marker=0')).toEqual(
      result(
        '<Name>{box}</Name><Prefix/><Delimiter>/</Delimiter><MaxKeys>2</MaxKeys><IsTruncated>true</IsTruncated>' +
          '<Marker>0</Marker><NextMarker>b/</NextMarker>' +
          '<Contents><Key>a</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified>' +
          '<ETag>&quot;9dd4e461268c8034f5c8564e155c67a6&quot;</ETag><Size>1</Size>' +
          `${OWNER}<StorageClass>STANDARD</StorageClass></Contents>` +
          '<CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes>',
      ),
    );
  });

  test.each([1, 2, 3])(
    '[list-5] ListObjects in pages of %i with markers returns each key and common prefix exactly once',
    async (size) => {
      await withKeys('a/1', 'a/2', 'b', 'c/1', 'd', 'Ａ', '😀');
      const listed: string[] = [];
      for (let marker: string | undefined = ''; marker !== undefined;) {
        const page = await list(
          `?delimiter=/&max-keys=${size}&marker=${encodeURIComponent(marker)}`,
        );
        listed.push(...namesIn(page));
        marker = /<NextMarker>([^<]+)</.exec(page)?.[1];
      }
      expect(listed.toSorted()).toEqual(['a/', 'b', 'c/', 'd', 'Ａ', '😀'].toSorted());
    },
  );

  test('ListObjects returns NextMarker even without a delimiter', async () => {
    await withKeys('a', 'b');
    expect(await list('?max-keys=1')).toContain('<NextMarker>a</NextMarker>');
  });

  test.each([
    ['?marker=a/1', ['a/2', 'b']],
    // A marker below a common prefix skips the rest of the prefix (test/SPECIFICATION.md, semantics
    // B.12).
    ['?marker=a/1&delimiter=/', ['b']],
    ['?marker=a/&delimiter=/', ['b']],
    ['?marker=a0', ['b']],
    ['?marker=z', []],
    ['?prefix=a/&marker=a/1', ['a/2']],
    ['?max-keys=0', []],
  ])('ListObjects with the query "%s" returns %j', async (query, expected) => {
    await withKeys('a/1', 'a/2', 'b');
    expect(namesIn(await list(query))).toEqual(expected);
  });

  test('ListObjects percent-encodes names with encoding-type=url', async () => {
    await withKeys('a b/1', 'a b/2');
    const page = await list(
      '?encoding-type=url&max-keys=1&marker=a%20a&prefix=a%20&delimiter=%20b%2F',
    );
    expect(page).toContain(
      '<Prefix>a%20</Prefix><Delimiter>%20b/</Delimiter><MaxKeys>1</MaxKeys><EncodingType>url</EncodingType>',
    );
    expect(page).toContain('<Marker>a%20a</Marker>');
    expect(await list('?encoding-type=url&max-keys=1')).toContain(
      '<NextMarker>a%20b/1</NextMarker>',
    );
  });

  refusesStrangers(wire, 'GET /{box}');

  wire.refuses([
    ...(
      [
        ['max-keys', '-1'],
        ['max-keys', 'x'],
        ['encoding-type', 'xml'],
      ] as const
    ).map(
      ([name, value]) =>
        [
          `the parameter ${name}=${value}`,
          `GET /{box}?${name}=${value}`,
          {},
          { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
        ] as const,
    ),
    [
      'an unexpected request body',
      'GET /{box}',
      { body: 'x' },
      { status: 400, Code: 'UnexpectedContent' },
    ],
    ...['bogus', 'bogus=', 'bogus=null'].map(
      (query) =>
        [
          `the unknown subresource ?${query}`,
          `GET /{box}?${query}`,
          {},
          { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
        ] as const,
    ),
  ]);
});
