/**
 * Tests that a repair of a store with damaged database pages keeps the readable data and makes the
 * store usable again.
 */

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '../../../src/base/durations.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { openEngine } from '../../../src/engine/engine.ts';
import { salvageStore } from '../../../src/engine/maintenance/salvage/salvage-store.ts';
import { checkClosedStore } from '../../../src/engine/maintenance/closed-store.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { fixtureNames, readFixture, unpack } from '../../formats/fixture.ts';
import { STORE_KEY } from '../../formats/make-store.ts';
import { describeVersions, type DescribedVersion } from '../../formats/store-life.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { leavesOf, overwritePages, pagesOf, somePages } from '../../helpers/damaged-database.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import {
  MIN_PART_BYTES,
  openTestEngine,
  patternBytes,
  readBytes,
  TEST_USER,
} from '../../helpers/test-engine.ts';

const BUCKET = 'bucket';
const OBJECTS = 400;
const NOW = Date.UTC(2026, 10, 22);
const keyOf = (index: number) => `folder/object-${String(index).padStart(4, '0')}`;
const bytesOf = (index: number) => patternBytes(100 + (index % 7) * 400, index);
const metadataOf = (dir: string) => join(dir, 'store.sqlite');

const folder = mkdtempSync(join(tmpdir(), 'salvage-original-'));
const original = makeOriginal();
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Creates a closed store with 400 small objects, 20 of them with an older version, and returns its
 * folder.
 */
async function filledStore(): Promise<string> {
  const dir = temporaryFolder('salvage');
  cpSync(await original, dir, { recursive: true });
  return dir;
}

async function makeOriginal(): Promise<string> {
  const dir = join(folder, 'store');
  const options = { dir, clock: new FakeClock(), logger: silentLogger, region: 'r', passive: true };
  const quotas = { minBytesPerPart: MIN_PART_BYTES };
  const engine = await openEngine({ ...options, quotas });
  const store = engine.as(internalCaller(TEST_USER, 0));
  await store.createBucket({ bucket: BUCKET, objectLockEnabled: true });
  const put = (index: number, body: Buffer) =>
    store.putObject({ bucket: BUCKET, key: keyOf(index), body: bytesBody(body) });
  for (let index = 0; index < 20; index++) await put(index, Buffer.from('older'));
  for (let index = 0; index < OBJECTS; index++) await put(index, bytesOf(index));
  await putLarge(store);
  await engine.close();
  return dir;
}

const PARTS = { bucket: BUCKET, key: 'parts' };
const SEALED = { bucket: BUCKET, key: 'sealed', customerKey: customerKey('k') };
const PART_BYTES = MIN_PART_BYTES + 100_000;

/** Puts an object with two parts and an encrypted object. */
async function putLarge(store: ObjectStore): Promise<void> {
  await putParts(store, PARTS);
  await store.putObject({ ...SEALED, body: bytesBody(patternBytes(150_000)) });
}

async function putParts(store: ObjectStore, ref: typeof PARTS): Promise<void> {
  const { uploadId } = await store.createUpload(ref);
  const parts = [];
  for (const partNumber of [1, 2]) {
    const body = bytesBody(patternBytes(PART_BYTES, partNumber));
    const { etag } = await store.uploadPart({ ...ref, uploadId, partNumber, body });
    parts.push({ partNumber, etag });
  }
  await store.completeUpload({ ...ref, uploadId, parts });
}

/** Repairs a store, opens it, and returns it with the reported actions and problems. */
async function repaired(dir: string) {
  const salvaged = salvageStore(dir, NOW);
  const opened = await openTestEngine({ dir, passive: true });
  const { done, after } = await opened.engine.upkeep.repair({ deep: true });
  return { ...opened, done: [...salvaged, ...done], after };
}

/** Counts the objects that are correct, unreadable or missing. Wrong bytes fail the test. */
async function readAll(store: ObjectStore) {
  const counts = { right: 0, refused: 0, missing: 0 };
  for (let index = 0; index < OBJECTS; index++) {
    const object = { bucket: BUCKET, key: keyOf(index) };
    const read = await readBytes(store, object).catch((error: unknown) => error);
    if (Buffer.isBuffer(read)) {
      const isOlder = index < 20 && read.toString() === 'older';
      expect(isOlder || read.equals(bytesOf(index))).toBe(true);
      counts.right += 1;
    } else if (error(read) === 'NoSuchKey') counts.missing += 1;
    else {
      expect(error(read)).toBe('InternalError');
      counts.refused += 1;
    }
  }
  return counts;
}

const error = (value: unknown) => (value as { readonly code?: string }).code;

test('a repair leaves an undamaged store unchanged', async () => {
  const dir = await filledStore();
  expect(salvageStore(dir, NOW)).toEqual([]);
  expect(readdirSync(dir).filter((name) => name.includes('damaged'))).toEqual([]);
});

test.each([1, 2])(
  'a repair makes a store usable after a tenth of its database pages were overwritten (seed %i)',
  async (seed) => {
    const dir = await filledStore();
    const pages = somePages(metadataOf(dir), 0.1, { seed, spared: 2 });
    overwritePages(metadataOf(dir), pages, seed);
    const { store, done, after } = await repaired(dir);
    expect(done[0]).toMatchObject({ code: 'database', subject: 'store.sqlite' });
    expect(Object.keys(after.counts).filter((code) => code !== 'bytes-damaged')).toEqual([]);
    const { right, refused, missing } = await readAll(store);
    expect(right).toBeGreaterThan(OBJECTS * 0.55);
    const lost = (code: string) => done.filter((each) => each.code === code).length;
    expect(Math.min(refused, 1)).toBe(Math.min(lost('bytes-lost'), 1));
    expect(right + refused + missing).toBe(OBJECTS);
    await store.putObject({ bucket: BUCKET, key: 'new', body: bytesBody('new') });
    expect((await readBytes(store, { bucket: BUCKET, key: 'new' })).toString()).toBe('new');
  },
);

test("a repair loses no rows if only inner pages of the database's B-trees are damaged", async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  const inner = ['blob', 'current_object'].flatMap((name) => {
    const leaves = new Set(leavesOf(path, name));
    return pagesOf(path, name).filter((page) => !leaves.has(page));
  });
  expect(inner.length).toBeGreaterThan(1);
  overwritePages(path, inner);
  const { store, done, after } = await repaired(dir);
  expect(await readAll(store)).toEqual({ right: OBJECTS, refused: 0, missing: 0 });
  expect(done.map(({ code }) => code)).toEqual(['database']);
  expect(after.counts).toEqual({});
});

test('a repair reports objects whose rows are lost and objects whose bytes are lost', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  const [versions = 0] = leavesOf(path, 'version').slice(10);
  const [blobs = 0] = leavesOf(path, 'blob').slice(-3);
  overwritePages(path, [versions, blobs]);
  const { store, engine, done } = await repaired(dir);
  const subjects = (code: string) =>
    done.filter((each) => each.code === code).map(({ subject }) => subject);
  const { refused, missing } = await readAll(store);
  expect(subjects('object-lost')).toHaveLength(missing);
  expect(subjects('bytes-lost')).toHaveLength(refused);
  expect(missing).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
  expect(subjects('object-lost')[0]).toMatch(/^bucket\/folder\/object-\d{4}$/);
  const { state, damaged } = engine.upkeep.health();
  expect(state).toBe('degraded');
  expect(damaged[0]?.versions[0]).toMatchObject({ bucket: BUCKET });
});

test('after a repair, a put of equal bytes restores versions whose bytes are lost', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  overwritePages(path, leavesOf(path, 'blob').slice(3, 6));
  const { store, engine } = await repaired(dir);
  expect((await readAll(store)).refused).toBeGreaterThan(0);
  for (let index = 0; index < OBJECTS; index++)
    await store.putObject({
      bucket: BUCKET,
      key: `sent-${index}`,
      body: bytesBody(bytesOf(index)),
    });
  expect(await readAll(store)).toEqual({ right: OBJECTS, refused: 0, missing: 0 });
  expect(engine.upkeep.health().damagedCount).toBe(0);
  expect((await engine.upkeep.check({ deep: true })).problems).toEqual([]);
});

test('a repair restores versions whose bytes are lost from equal versions', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  const first = await openTestEngine({ dir, passive: true });
  const puts = Array.from({ length: OBJECTS }, (_, index) =>
    first.store.putObject({
      bucket: BUCKET,
      key: `sent-${index}`,
      body: bytesBody(bytesOf(index)),
    }),
  );
  await Promise.all(puts);
  await putParts(first.store, { ...PARTS, key: 'sent-parts' });
  await first.engine.close();
  const database = new Database(path);
  // Deletes only these rows, as a damaged page would.
  database.exec(`DELETE FROM blob WHERE blob_id IN (SELECT blob_id FROM manifest_part
    WHERE manifest_id = (SELECT manifest_id FROM version WHERE key = 'parts'))`);
  database.close();
  overwritePages(path, leavesOf(path, 'blob').slice(3, 6));
  const { store, engine, done, after } = await repaired(dir);
  expect(done.filter(({ code }) => code === 'bytes-lost').length).toBeGreaterThan(1);
  expect(await readAll(store)).toEqual({ right: OBJECTS, refused: 0, missing: 0 });
  expect((await readBytes(store, PARTS)).byteLength).toBe(2 * PART_BYTES);
  expect(engine.upkeep.health().damagedCount).toBe(0);
  expect(after.problems).toEqual([]);
  expect((await engine.upkeep.check({ deep: true })).problems).toEqual([]);
});

test('the store fails the read of a multipart object with a lost part but returns its other part', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  const database = new Database(path);
  // Deletes only these rows, as a damaged page would.
  database.exec(`DELETE FROM manifest_part WHERE part_number = 1;
    DELETE FROM blob WHERE blob_id = (SELECT blob_id FROM version WHERE key = 'sealed')`);
  database.close();
  overwritePages(path, leavesOf(path, 'scrub'));
  const { store, after } = await repaired(dir);
  expect(Object.keys(after.counts)).toEqual(['bytes-damaged']);
  for (const object of [PARTS, SEALED])
    await expect(readBytes(store, object)).rejects.toMatchObject({ code: 'InternalError' });
  const range = { first: PART_BYTES, last: 2 * PART_BYTES - 1 };
  const bytes = await readBytes(store, { ...PARTS, range });
  expect(bytes.equals(patternBytes(PART_BYTES, 2))).toBe(true);
});

test('a repair keeps the name and the objects of a bucket whose database row was lost', async () => {
  const dir = await filledStore();
  overwritePages(metadataOf(dir), pagesOf(metadataOf(dir), 'bucket'));
  const { store, done } = await repaired(dir);
  expect(done.find(({ code }) => code === 'bucket-lost')?.subject).toBe(BUCKET);
  expect(await readAll(store)).toEqual({ right: OBJECTS, refused: 0, missing: 0 });
});

test('a repair keeps the damaged database file and can be started again after an interruption', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  overwritePages(path, leavesOf(path, 'blob').slice(3, 6));
  const size = statSync(path).size;
  // An interrupted repair leaves an incomplete file with this name.
  writeFileSync(`${path}.salvaged`, 'half a database');
  const { engine } = await repaired(dir);
  await engine.close();
  const aside = readdirSync(dir).find((name) => name.startsWith('store.sqlite.damaged-'));
  expect(aside).toBe('store.sqlite.damaged-20261122T000000Z');
  expect(statSync(join(dir, aside ?? '')).size).toBe(size);
  expect(existsSync(`${path}.salvaged`)).toBe(false);
  expect(salvageStore(dir, NOW)).toEqual([]);
});

test('a repair does not reuse sequence numbers that the store may already have assigned', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  overwritePages(path, [...pagesOf(path, 'store'), ...pagesOf(path, 'upkeep')]);
  const { engine, store } = await repaired(dir);
  expect(await readAll(store)).toEqual({ right: OBJECTS, refused: 0, missing: 0 });
  await engine.close();
  expect((await checkClosedStore(dir, { deep: false })).problems).toEqual([]);
});

test('the store distrusts a clock that is months ahead of the newest version if the stored trusted time was lost', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  overwritePages(path, pagesOf(path, 'upkeep'));
  salvageStore(dir, NOW);
  const clock = new FakeClock();
  clock.advance(90 * DAY_MS);
  const { engine } = await openTestEngine({ dir, clock, passive: true });
  expect(engine.upkeep.health()).toMatchObject({ clockAheadMs: 90 * DAY_MS });
});

test('a repair of a database without any intact page fails and suggests restoring a backup', async () => {
  const dir = await filledStore();
  const path = metadataOf(dir);
  overwritePages(path, somePages(path, 1, { spared: 0 }));
  expect(() => salvageStore(dir, NOW)).toThrow(/restore it from a backup of the store/);
});

test.each(fixtureNames('store'))(
  'a repair loses no object of a store created in format %s if the first page of its database is damaged',
  async (name) => {
    const fixture = readFixture<readonly DescribedVersion[]>(name);
    const dir = temporaryFolder('salvage-format');
    unpack(fixture, dir);
    const clock = () => new FakeClock(fixture.madeAt + MINUTE_MS);
    const first = await openTestEngine({ dir, clock: clock(), passive: true });
    await first.engine.close();
    overwritePages(metadataOf(dir), [1]);
    await expect(openTestEngine({ dir, clock: clock() })).rejects.toMatchObject({
      code: 'DamagedMetadata',
    });
    const [returned] = salvageStore(dir, fixture.madeAt);
    expect(returned?.did).toContain('1 damaged page;');
    const { store } = await openTestEngine({ dir, clock: clock(), passive: true });
    expect(await describeVersions(store, customerKey(STORE_KEY))).toEqual(fixture.contents);
  },
);
