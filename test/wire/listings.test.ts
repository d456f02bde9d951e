/** Listings as XML on the wire, in both dialects: what is echoed, how names are spelt, how pages follow. */

import { describe, expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import { dialects, WireBench } from '../helpers/wire-bench.ts';

describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
  const bench = new WireBench();

  async function bucketWith(...keys: string[]): Promise<string> {
    const bucket = await bench.bucket();
    for (const key of keys) await bench.store.putObject({ bucket, key, body: bytesBody('x') });
    return bucket;
  }

  async function list(url: string): Promise<string> {
    const answer = await bench.send(dialect, { method: 'GET', url });
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/xml']);
    return answer.text().replace(/^<\?xml[^>]+\?>\n/, '');
  }

  test('version 2 tells keys, sizes and the question again', async () => {
    const box = await bucketWith('a', 'b/1', 'b/2', 'c');
    const page = await list(`/${box}?list-type=2&delimiter=/&max-keys=2&prefix=`);
    const token = /<NextContinuationToken>([^<]+)</.exec(page)?.[1] ?? '';
    expect(page).toBe(
      `<ListBucketResult xmlns="${dialect.xmlNamespace}"><Name>${box}</Name><Prefix/><Delimiter>/</Delimiter>` +
        '<MaxKeys>2</MaxKeys><IsTruncated>true</IsTruncated><KeyCount>2</KeyCount>' +
        `<NextContinuationToken>${token}</NextContinuationToken>` +
        '<Contents><Key>a</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified>' +
        '<ETag>&quot;9dd4e461268c8034f5c8564e155c67a6&quot;</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>' +
        '<CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes></ListBucketResult>',
    );
    const next = await list(`/${box}?list-type=2&delimiter=/&continuation-token=${token}`);
    expect(next.match(/<Key>[^<]+<|<Prefix>[^<]+</g)).toEqual(['<Key>c<']);
    expect(next).toContain('<IsTruncated>false</IsTruncated>');
  });

  test('version 2 tells owners only when asked to', async () => {
    const box = await bucketWith('a');
    expect(await list(`/${box}?list-type=2`)).not.toContain('<Owner>');
    expect(await list(`/${box}?list-type=2&fetch-owner=false`)).not.toContain('<Owner>');
  });

  test('version 1 goes on from a key or a common prefix', async () => {
    const box = await bucketWith('a/1', 'a/2', 'b', 'c/1');
    const names: string[] = [];
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const page = await list(
        `/${box}?delimiter=/&max-keys=1&marker=${encodeURIComponent(marker)}`,
      );
      names.push(...(page.match(/(?<=<Key>|<CommonPrefixes><Prefix>)[^<]+/g) ?? []));
      marker = /<NextMarker>([^<]+)</.exec(page)?.[1];
    }
    expect(names).toEqual(['a/', 'b', 'c/']);
  });

  test('names are percent-encoded with encoding-type=url, and escaped without', async () => {
    const box = await bucketWith('a b+<&>/ü\u0001');
    const encoded = await list(
      `/${box}?list-type=2&encoding-type=url&prefix=a%20b&delimiter=%2F&start-after=a%20a`,
    );
    expect(encoded).toContain('<EncodingType>url</EncodingType>');
    expect(encoded).toContain('<Prefix>a%20b</Prefix>');
    expect(encoded).toContain('<StartAfter>a%20a</StartAfter>');
    expect(encoded).toContain('<CommonPrefixes><Prefix>a%20b%2B%3C%26%3E/</Prefix>');
    const plain = await list(`/${box}?list-type=2`);
    expect(plain).toContain('<Key>a b+&lt;&amp;&gt;/ü&#x1;</Key>');
  });

  test('versions and delete markers stand in one order', async () => {
    const box = await bucketWith('a');
    await bench.store.putVersioning({ bucket: box, versioning: 'Enabled' });
    await bench.store.putObject({ bucket: box, key: 'a', body: bytesBody('y') });
    await bench.store.deleteObject({ bucket: box, key: 'a' });
    await bench.store.putObject({ bucket: box, key: 'b', body: bytesBody('y') });
    const page = await list(`/${box}?versions`);
    expect(page.match(/<(?:Version|DeleteMarker)><Key>.|<IsLatest>\w+/g)).toEqual([
      '<DeleteMarker><Key>a',
      '<IsLatest>true',
      '<Version><Key>a',
      '<IsLatest>false',
      '<Version><Key>a',
      '<IsLatest>false',
      '<Version><Key>b',
      '<IsLatest>true',
    ]);
    const first = await list(`/${box}?versions&max-keys=1`);
    const marker = /<NextVersionIdMarker>([^<]+)</.exec(first)?.[1];
    expect(first).toContain('<NextKeyMarker>a</NextKeyMarker>');
    const next = await list(`/${box}?versions&max-keys=1&key-marker=a&version-id-marker=${marker}`);
    expect(next).toContain('<Version><Key>a</Key>');
    expect(next).toContain(`<VersionIdMarker>${marker}</VersionIdMarker>`);
  });

  test.each([
    'list-type=3',
    'list-type=2&max-keys=-1',
    'list-type=2&max-keys=x',
    'list-type=2&max-keys=99999999999',
    'list-type=2&encoding-type=base64',
    'list-type=2&continuation-token=',
    'list-type=2&continuation-token=forged',
    'list-type=2&prefix=a&prefix=b',
    'versions&version-id-marker=x',
    'uploads&max-uploads=x',
  ])('the question %s is InvalidArgument', async (query) => {
    const box = await bucketWith();
    const answer = await bench.send(dialect, { method: 'GET', url: `/${box}?${query}` });
    expect(answer.status).toBe(400);
    expect(answer.text()).toContain('<Code>InvalidArgument</Code>');
  });

  test('an empty page is asked for and given', async () => {
    const box = await bucketWith('a');
    const page = await list(`/${box}?list-type=2&max-keys=0`);
    expect(page).toContain(
      '<MaxKeys>0</MaxKeys><IsTruncated>false</IsTruncated><KeyCount>0</KeyCount>',
    );
  });
});
