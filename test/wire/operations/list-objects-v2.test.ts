/** Tests of ListObjectsV2 over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { accessKey, colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const OWNER = `<Owner><ID>${accessKey.accessKeyId}</ID><DisplayName>${accessKey.accessKeyId}</DisplayName></Owner>`;
/** Returns the XML of an object with the content `x`. */
const contents = (key: string, owner = '') =>
  `<Contents><Key>${key}</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified>` +
  `<ETag>&quot;9dd4e461268c8034f5c8564e155c67a6&quot;</ETag><Size>1</Size>${owner}` +
  '<StorageClass>STANDARD</StorageClass></Contents>';

inBothDialects(new WireBench(), (wire) => {
  const withKeys = async (...keys: readonly string[]) => {
    for (const key of keys) await wire.put(key, 'x');
  };
  const list = async (query: string) => {
    const answer = await wire.send(`GET /{box}?list-type=2${query}`);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const namesIn = (page: string) => page.match(/(?<=<Key>|<CommonPrefixes><Prefix>)[^<]+/g) ?? [];
  const names = async (query: string) => namesIn(await list(query));
  const result = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<ListBucketResult xmlns="${wire.dialect.xmlNamespace}">${inside}</ListBucketResult>`,
  });

  test('ListObjectsV2 of an empty bucket returns an empty page', async () => {
    expect(await wire.ask('GET /{box}/?list-type=2')).toEqual(
      result(
        '<Name>{box}</Name><Prefix/><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount>',
      ),
    );
  });

  test('[svc-1] ListObjectsV2 returns keys, common prefixes and the parameters of the request', async () => {
    await withKeys('a', 'b/1', 'b/2', 'c');
    const first = 'GET /{box}?list-type=2&delimiter=/&max-keys=2&prefix=';
    wire.nameElement('token', await wire.send(first), 'NextContinuationToken');
    expect(await wire.ask(first)).toEqual(
      result(
        '<Name>{box}</Name><Prefix/><Delimiter>/</Delimiter><MaxKeys>2</MaxKeys><IsTruncated>true</IsTruncated>' +
          '<KeyCount>2</KeyCount><NextContinuationToken>{token}</NextContinuationToken>' +
          `${contents('a')}<CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes>`,
      ),
    );
    const next = 'GET /{box}?list-type=2&delimiter=/&continuation-token={token}&start-after=zzz';
    expect(await wire.ask(next)).toEqual(
      result(
        '<Name>{box}</Name><Prefix/><Delimiter>/</Delimiter><MaxKeys>1000</MaxKeys>' +
          '<IsTruncated>false</IsTruncated><KeyCount>1</KeyCount><StartAfter>zzz</StartAfter>' +
          `<ContinuationToken>{token}</ContinuationToken>${contents('c')}`,
      ),
    );
  });

  test('ListObjectsV2 returns owners only with fetch-owner=true', async () => {
    await withKeys('a');
    expect(await list('&fetch-owner=true')).toContain(contents('a', OWNER));
    for (const query of ['', '&fetch-owner=false', '&fetch-owner=']) {
      expect(await list(query)).not.toContain('<Owner>');
    }
  });

  test('[list-1] ListObjectsV2 returns keys in the order of their UTF-8 bytes', async () => {
    await withKeys('Ａ', '😀', 'a', 'Z', 'a/', 'a-', 'é', 'e\u0301');
    expect(await names('')).toEqual(['Z', 'a', 'a-', 'a/', 'e\u0301', 'é', 'Ａ', '😀']);
  });

  test.each([
    ['&prefix=a', ['a', 'a/1', 'a/2/x', 'ab']],
    ['&prefix=a/', ['a/1', 'a/2/x']],
    ['&prefix=a/&delimiter=/', ['a/1', 'a/2/']],
    ['&delimiter=/', ['a', 'ab', 'b', 'a/']],
    ['&delimiter=/2', ['a', 'a/1', 'ab', 'b', 'a/2']],
    ['&delimiter=', ['a', 'a/1', 'a/2/x', 'ab', 'b']],
    ['&prefix=c', []],
    ['&start-after=a/2', ['a/2/x', 'ab', 'b']],
    ['&start-after=a/1&delimiter=/', ['ab', 'b']],
    ['&start-after=a/&delimiter=/', ['ab', 'b']],
    ['&start-after=', ['a', 'a/1', 'a/2/x', 'ab', 'b']],
    ['&max-keys=', ['a', 'a/1', 'a/2/x', 'ab', 'b']],
    ['&max-keys=1001', ['a', 'a/1', 'a/2/x', 'ab', 'b']],
    ['&max-keys=1', ['a']],
    ['&max-keys=0', []],
    ['&unknown=1', ['a', 'a/1', 'a/2/x', 'ab', 'b']],
  ])('ListObjectsV2 with the query "%s" returns %j', async (query, expected) => {
    await withKeys('a', 'a/1', 'a/2/x', 'ab', 'b');
    expect(await names(query)).toEqual(expected);
  });

  test.each([1, 2, 3])(
    '[list-3] ListObjectsV2 in pages of %i returns each key and common prefix exactly once',
    async (size) => {
      await withKeys('a', 'b/1', 'b/2', 'b/3', 'c', 'd/1', 'e');
      const listed: string[] = [];
      for (let token: string | undefined = ''; token !== undefined;) {
        const after = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`;
        const page = await list(`&delimiter=/&max-keys=${size}${after}`);
        expect(namesIn(page).length).toBeLessThanOrEqual(size);
        listed.push(...namesIn(page));
        token = /<NextContinuationToken>([^<]+)/.exec(page)?.[1];
      }
      expect(listed.toSorted()).toEqual(['a', 'b/', 'c', 'd/', 'e']);
    },
  );

  test('[list-12] ListObjectsV2 with an empty continuation token starts at the first key and repeats the token', async () => {
    await withKeys('a', 'b');
    const page = await list('&continuation-token=&max-keys=1');
    expect(namesIn(page)).toEqual(['a']);
    expect(page).toContain('<ContinuationToken/>');
    expect(await names('&continuation-token=&start-after=a')).toEqual(['b']);
  });

  test('ListObjectsV2 finds the next page even if the last key of the previous page was deleted in the meantime', async () => {
    await withKeys('a', 'b', 'c');
    const token = /<NextContinuationToken>([^<]+)/.exec(await list('&max-keys=2'))?.[1] ?? '';
    await wire.store.deleteObject({ bucket: wire.get('box'), key: 'b' });
    expect(await names(`&continuation-token=${token}`)).toEqual(['c']);
  });

  test('[list-4] ListObjectsV2 with max-keys above 1,000 returns at most 1,000 keys, and reports 1,000 as MaxKeys', async () => {
    expect(await list('&max-keys=99999')).toContain('<MaxKeys>1000</MaxKeys>');
    expect(await list('&max-keys=0')).toContain(
      '<MaxKeys>0</MaxKeys><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount>',
    );
  });

  test('[list-4] ListObjectsV2 returns 1,000 keys by default', async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => String(index).padStart(4, '0'));
    await Promise.all(keys.map((key) => wire.put(key, 'x')));
    const page = await list('');
    expect(namesIn(page)).toEqual(keys.slice(0, 1000));
    expect(page).toContain('<MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated>');
    expect(await names('&max-keys=1001')).toEqual(keys.slice(0, 1000));
    expect(await names('&start-after=0999')).toEqual(['1000']);
    expect(await wire.send('GET /{box}?versions').then((answer) => namesIn(answer.text()))).toEqual(
      keys.slice(0, 1000),
    );
  });

  test('[list-11] ListObjectsV2 omits noncurrent versions, and keys whose current version is a delete marker', async () => {
    await wire.versioning('Enabled');
    await withKeys('a', 'a', 'b');
    await wire.store.deleteObject({ bucket: wire.get('box'), key: 'b' });
    expect(await names('')).toEqual(['a']);
  });

  test('[list-8] ListObjectsV2 percent-encodes names with encoding-type=url, and otherwise escapes them for XML', async () => {
    await withKeys('a b+<&>/ü\u0001');
    const encoded = await list(
      '&encoding-type=url&prefix=a%20b&delimiter=%2F&start-after=a%20a%2Fb%3F',
    );
    expect(encoded).toContain(
      '<Prefix>a%20b</Prefix><Delimiter>/</Delimiter><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>',
    );
    expect(encoded).toContain('<StartAfter>a%20a/b%3F</StartAfter>');
    expect(encoded).toContain(
      '<CommonPrefixes><Prefix>a%20b%2B%3C%26%3E/</Prefix></CommonPrefixes>',
    );
    expect(await list('&encoding-type=url')).toContain('<Key>a%20b%2B%3C%26%3E/%C3%BC%01</Key>');
    expect(await list('')).toContain('<Key>a b+&lt;&amp;&gt;/ü&#x1;</Key>');
  });

  test('another user of the project can list objects', async () => {
    expect((await wire.send('GET /{box}?list-type=2', { as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'GET /{box}?list-type=2');

  wire.refuses([
    ...(
      [
        ['list-type', '3'],
        ['list-type', ''],
        ['max-keys', '-1'],
        ['max-keys', 'x'],
        ['max-keys', '1.5'],
        ['max-keys', '99999999999'],
        ['encoding-type', 'base64'],
        ['encoding-type', ''],
      ] as const
    ).map(([name, value]) => {
      const type = name === 'list-type' ? '' : 'list-type=2&';
      return [
        `the parameter ${name}=${value}`,
        `GET /{box}?${type}${name}=${value}`,
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
      ] as const;
    }),
    [
      'a forged continuation token',
      'GET /{box}?list-type=2&continuation-token=forged',
      {},
      {
        status: 400,
        Code: 'InvalidArgument',
        ArgumentName: 'continuation-token',
        ArgumentValue: 'forged',
      },
    ],
    [
      'a duplicate parameter',
      'GET /{box}?list-type=2&prefix=a&prefix=b',
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: 'prefix', ArgumentValue: 'b' },
    ],
    [
      'an unexpected request body',
      'GET /{box}?list-type=2',
      { body: 'x' },
      { status: 400, Code: 'UnexpectedContent' },
    ],
  ]);
});
