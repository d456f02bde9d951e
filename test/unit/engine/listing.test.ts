import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { newSequenceId, sequenceOf } from '../../../src/engine/schema/sequence-id.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { ListedVersion } from '../../../src/object-store/listing.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

/** Characters that UTF-8 and UTF-16 sort differently, the delimiter, and the last code point. */
const character = fc.constantFrom('a', 'b', '/', '-', 'ä', 'Ａ', '😀', '\u{10ffff}', '\u{d7ff}');
const name = fc.array(character, { minLength: 1, maxLength: 5 }).map((each) => each.join(''));
const prefixes = fc.oneof(fc.constant(''), name);

const utf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

interface Entries {
  readonly keys: readonly string[];
  readonly folders: readonly string[];
}

function expectedEntries(keys: Iterable<string>, prefix: string, delimiter: string): Entries {
  const listed: string[] = [];
  const folders = new Set<string>();
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue;
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (at < 0) listed.push(key);
    else folders.add(key.slice(0, at + delimiter.length));
  }
  return { keys: listed.sort(utf8), folders: [...folders].sort(utf8) };
}

async function listAll(
  store: ObjectStore,
  request: { bucket: string; prefix: string; delimiter: string; maxKeys: number },
): Promise<Entries> {
  const keys: string[] = [];
  const folders: string[] = [];
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { continuationToken: token };
    const page = await store.listObjects({ ...request, ...from });
    expect(page.objects.length + page.commonPrefixes.length).toBeLessThanOrEqual(request.maxKeys);
    keys.push(...page.objects.map((object) => object.key));
    folders.push(...page.commonPrefixes);
    token = page.nextToken;
  } while (token !== undefined);
  return { keys, folders };
}

test('the store lists every matching key and common prefix once, in UTF-8 order, for any page size', async () => {
  const { store } = await openTestEngine({ quotas: { bucketsPerProject: 1000 } });
  let buckets = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { maxLength: 30 }),
      fc.uniqueArray(name, { maxLength: 5 }),
      fc.record({
        prefix: prefixes,
        delimiter: fc.constantFrom('', '/', '-', 'a'),
        maxKeys: fc.constantFrom(1, 2, 3, 1000),
      }),
      async (keys, deleted, request) => {
        const bucket = `bucket-${buckets++}`;
        await store.createBucket({ bucket });
        await store.putVersioning({ bucket, versioning: 'Enabled' });
        await Promise.all(
          keys.map((key) => store.putObject({ bucket, key, body: bytesBody(key) })),
        );
        for (const key of deleted) await store.deleteObject({ bucket, key });
        const current = keys.filter((key) => !deleted.includes(key));
        const expected = expectedEntries(current, request.prefix, request.delimiter);
        expect(await listAll(store, { bucket, ...request })).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

interface VersionWalk {
  readonly versions: readonly ListedVersion[];
  readonly folders: readonly string[];
}

async function walkVersions(
  store: ObjectStore,
  request: { bucket: string; prefix: string; delimiter: string; maxKeys: number },
): Promise<VersionWalk> {
  const versions: ListedVersion[] = [];
  const folders: string[] = [];
  let next: Awaited<ReturnType<ObjectStore['listVersions']>>['next'];
  do {
    const page = await store.listVersions({ ...request, ...next });
    versions.push(...page.versions);
    folders.push(...page.commonPrefixes);
    next = page.next;
  } while (next !== undefined);
  return { versions, folders };
}

test('the store lists all versions newest first, with one latest version per key, for any page size', async () => {
  const { store } = await openTestEngine({ quotas: { bucketsPerProject: 1000 } });
  const step = fc.record({
    key: fc.constantFrom('a', 'a/b', 'a/c', 'b', '😀', 'Ａ'),
    kind: fc.constantFrom('put', 'put', 'delete', 'suspend', 'enable'),
  });
  let buckets = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.record({
        prefix: fc.constantFrom('', 'a', 'a/'),
        delimiter: fc.constantFrom('', '/'),
        maxKeys: fc.constantFrom(1, 2, 3, 1000),
      }),
      async (steps, request) => {
        const bucket = `bucket-${buckets++}`;
        await store.createBucket({ bucket });
        await store.putVersioning({ bucket, versioning: 'Enabled' });
        let versioning = 'Enabled';
        let model: { key: string; id: string }[] = [];
        for (const { key, kind } of steps) {
          if (kind === 'suspend' || kind === 'enable') {
            versioning = kind === 'suspend' ? 'Suspended' : 'Enabled';
            await store.putVersioning({
              bucket,
              versioning: kind === 'suspend' ? 'Suspended' : 'Enabled',
            });
            continue;
          }
          const { versionId: id = '' } =
            kind === 'put'
              ? await store.putObject({ bucket, key, body: bytesBody('x') })
              : await store.deleteObject({ bucket, key });
          expect(id === 'null').toBe(versioning === 'Suspended');
          model = model.filter((each) => each.key !== key || id !== 'null' || each.id !== 'null');
          model.unshift({ key, id });
        }
        const expected = expectedEntries(
          new Set(model.map((each) => each.key)),
          request.prefix,
          request.delimiter,
        );
        const walk = await walkVersions(store, { bucket, ...request });
        expect(walk.folders).toEqual(expected.folders);
        expect(walk.versions.map(({ key, versionId }) => ({ key, id: versionId }))).toEqual(
          expected.keys.flatMap((key) => model.filter((each) => each.key === key)),
        );
        for (const key of expected.keys) {
          const ofKey = walk.versions.filter((each) => each.key === key);
          expect(ofKey.map((each) => each.isLatest)).toEqual(ofKey.map((_, index) => index === 0));
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('the store continues a version listing correctly if the version at its marker was deleted', async () => {
  const { store } = await openTestEngine({ quotas: { bucketsPerProject: 1000 } });
  await store.createBucket({ bucket: 'bucket' });
  await store.putVersioning({ bucket: 'bucket', versioning: 'Enabled' });
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    const body = bytesBody(`${round}`);
    const { versionId = '' } = await store.putObject({ bucket: 'bucket', key: 'k', body });
    ids.unshift(versionId);
  }
  const first = await store.listVersions({ bucket: 'bucket', maxKeys: 2 });
  await store.deleteObject({ bucket: 'bucket', key: 'k', versionId: ids[1]! });
  const second = await store.listVersions({ bucket: 'bucket', ...first.next });
  expect(second.versions.map((version) => version.versionId)).toEqual(ids.slice(2));
});

test('the store creates unique version ids of 32 characters that encode the sequence number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 48 - 1 }), (sequence) => {
      const id = newSequenceId(sequence);
      expect(id).toMatch(/^[A-Za-z0-9._-]{32}$/);
      expect(sequenceOf(id)).toBe(sequence);
      expect(newSequenceId(sequence)).not.toBe(id);
    }),
  );
  for (const id of ['', 'null', 'x'.repeat(31), 'x'.repeat(33), `${'x'.repeat(31)}/`]) {
    expect(sequenceOf(id)).toBeUndefined();
  }
});
