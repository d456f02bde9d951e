/** Tests of ListObjectVersions over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { accessKey, colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const { accessKeyId: id } = accessKey;
const OWNER = `<Owner><ID>${id}</ID><DisplayName>${id}</DisplayName></Owner>`;
const head = (key: string, version: string, isLatest: boolean) =>
  `<Key>${key}</Key><VersionId>${version}</VersionId><IsLatest>${isLatest}</IsLatest>` +
  `<LastModified>2026-11-21T12:00:00.000Z</LastModified>${OWNER}`;
/** Returns the XML of a version with the content `x`. */
const version = (...which: Parameters<typeof head>) =>
  `<Version>${head(...which)}<ETag>&quot;9dd4e461268c8034f5c8564e155c67a6&quot;</ETag><Size>1</Size>` +
  '<StorageClass>STANDARD</StorageClass></Version>';
const marker = (...which: Parameters<typeof head>) =>
  `<DeleteMarker>${head(...which)}</DeleteMarker>`;

inBothDialects(new WireBench(), (wire) => {
  const result = (inside: string) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<ListVersionsResult xmlns="${wire.dialect.xmlNamespace}">${inside}</ListVersionsResult>`,
  });
  const question = (isTruncated: boolean, maxKeys = 1000) =>
    `<Name>{box}</Name><Prefix/><MaxKeys>${maxKeys}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>`;
  const list = async (query: string) => (await wire.ask(`GET /{box}?versions${query}`)).body;
  const idsIn = (page: string) => page.match(/(?<=<VersionId>)[^<]+/g) ?? [];
  const remove = async (key: string, name: string) => {
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key });
    wire.name(name, versionId);
  };

  test('ListObjectVersions returns the version id null for objects of a bucket without versioning', async () => {
    await wire.put('a', 'x');
    expect(await wire.ask('GET /{box}/?versions=')).toEqual(
      result(`${question(false)}<KeyMarker/><VersionIdMarker/>${version('a', 'null', true)}`),
    );
  });

  test('[object-3] ListObjectVersions returns versions and delete markers sorted by key, newest first', async () => {
    await wire.put('a', 'x');
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    await remove('a', 'm1');
    await wire.put('b', 'x', { name: 'v2' });
    expect(await wire.ask('GET /{box}?versions')).toEqual(
      result(
        `${question(false)}<KeyMarker/><VersionIdMarker/>` +
          marker('a', '{m1}', true) +
          version('a', '{v1}', false) +
          version('a', 'null', false) +
          version('b', '{v2}', true),
      ),
    );
  });

  test('[list-6] a page of ListObjectVersions starts after the last version of the previous page', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    await wire.put('a', 'x', { name: 'v2' });
    expect(await wire.ask('GET /{box}?versions&max-keys=1')).toEqual(
      result(
        `${question(true, 1)}<KeyMarker/><VersionIdMarker/>` +
          '<NextKeyMarker>a</NextKeyMarker><NextVersionIdMarker>{v2}</NextVersionIdMarker>' +
          version('a', '{v2}', true),
      ),
    );
    const next = 'GET /{box}?versions&max-keys=1&key-marker=a&version-id-marker={v2}';
    expect(await wire.ask(next)).toEqual(
      result(
        `${question(false, 1)}<KeyMarker>a</KeyMarker><VersionIdMarker>{v2}</VersionIdMarker>` +
          version('a', '{v1}', false),
      ),
    );
  });

  test('[list-7] ListObjectVersions finds the next page even if the version of the marker was deleted in the meantime', async () => {
    await wire.versioning('Enabled');
    for (const name of ['v1', 'v2', 'v3']) await wire.put('a', 'x', { name });
    await wire.store.deleteObject({
      bucket: wire.get('box'),
      key: 'a',
      versionId: wire.get('v2'),
    });
    const rest = await list('&key-marker=a&version-id-marker={v2}');
    expect(idsIn(rest)).toEqual(['{v1}']);
  });

  test('a page of ListObjectVersions can end with a null version, and the next page starts after it', async () => {
    await wire.put('a', 'x');
    await wire.put('b', 'x');
    const page = await list('&max-keys=1');
    expect(page).toContain('<NextVersionIdMarker>null</NextVersionIdMarker>');
    expect(await list('&key-marker=a&version-id-marker=null')).toContain('<Key>b</Key>');
  });

  test.each([
    ['', ['a', 'a', 'a/1', 'a/2', 'b']],
    ['&key-marker=a', ['a/1', 'a/2', 'b']],
    ['&key-marker=a0', ['b']],
    ['&prefix=a/', ['a/1', 'a/2']],
    ['&delimiter=/', ['a', 'a', 'b', 'a/']],
    ['&delimiter=/&key-marker=a/', ['b']],
    ['&delimiter=/&key-marker=a', ['b', 'a/']],
    ['&max-keys=0', []],
  ])('ListObjectVersions with the query "%s" returns %j', async (query, expected) => {
    await wire.versioning('Enabled');
    for (const key of ['a', 'a', 'a/1', 'a/2', 'b']) await wire.put(key, 'x');
    const page = await list(query);
    expect(page.match(/(?<=<Key>|<CommonPrefixes><Prefix>)[^<]+/g) ?? []).toEqual(expected);
  });

  test('ListObjectVersions percent-encodes keys with encoding-type=url', async () => {
    await wire.put('a b', 'x');
    await wire.put('c d/1', 'x');
    const page = await list('&encoding-type=url&max-keys=1&key-marker=a%20a&delimiter=%2F&prefix=');
    expect(page).toContain('<EncodingType>url</EncodingType>');
    expect(page).toContain('<KeyMarker>a%20a</KeyMarker>');
    expect(page).toContain('<NextKeyMarker>a%20b</NextKeyMarker>');
    expect(page).toContain('<Key>a%20b</Key>');
    expect(await list('&encoding-type=url&delimiter=/')).toContain('<Prefix>c%20d/</Prefix>');
  });

  test('another user of the project can list versions', async () => {
    expect((await wire.send('GET /{box}?versions', { as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'GET /{box}?versions');

  wire.refuses([
    ...['', 'key-marker=&'].map(
      (also) =>
        [
          `a version marker without a key marker: ${also}`,
          `GET /{box}?versions&${also}version-id-marker=x`,
          {},
          { status: 400, Code: 'InvalidArgument', ArgumentName: 'version-id-marker' },
        ] as const,
    ),
    ...(
      [
        ['max-keys', '-1'],
        ['encoding-type', 'x'],
      ] as const
    ).map(
      ([name, value]) =>
        [
          `the parameter ${name}=${value}`,
          `GET /{box}?versions&${name}=${value}`,
          {},
          { status: 400, Code: 'InvalidArgument', ArgumentName: name, ArgumentValue: value },
        ] as const,
    ),
  ]);
});
