/**
 * Tests that the store check finds each kind of damage and that a repair fixes everything that can
 * be derived from other data.
 */

import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';

import { silentLogger } from '../../../src/base/logger.ts';
import { openEngine } from '../../../src/engine/engine.ts';
import { checkMetadata } from '../../../src/engine/integrity/check-metadata.ts';
import { repairMetadata } from '../../../src/engine/integrity/repair-metadata.ts';
import { RULES } from '../../../src/engine/integrity/metadata-rules.ts';
import { checkClosedStore } from '../../../src/engine/maintenance/closed-store.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { blobFiles, blobPath } from '../../helpers/store-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes, readBytes, TEST_USER } from '../../helpers/test-engine.ts';

const SMALL = { bucket: 'bucket', key: 'small' };
const LARGE = { bucket: 'bucket', key: 'large' };
const PARTS = { bucket: 'bucket', key: 'parts' };

/**
 * Creates a closed store with versions, copies, uploads and encrypted objects, runs `sql` on its
 * database, and returns its folder.
 */
async function storeWith(sql = ''): Promise<string> {
  const dir = temporaryFolder('check');
  cpSync(await original, dir, { recursive: true });
  change(dir, sql);
  return dir;
}

const folder = mkdtempSync(join(tmpdir(), 'check-original-'));
const original = makeOriginal();
afterAll(() => rmSync(folder, { recursive: true }));

async function makeOriginal(): Promise<string> {
  const dir = join(folder, 'store');
  const options = { dir, clock: new FakeClock(), logger: silentLogger, region: 'r' };
  const engine = await openEngine(options);
  await fill(engine.as(internalCaller(TEST_USER, 0)));
  await fillSealed(engine.as(internalCaller(TEST_USER, 0)));
  await engine.close();
  return dir;
}

async function fill(store: ObjectStore): Promise<void> {
  await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  await store.createBucket({ bucket: 'plain' });
  await store.putObject({ ...SMALL, body: bytesBody('before') });
  await store.putObject({ ...SMALL, body: bytesBody('small') });
  await store.putObject({ ...LARGE, body: bytesBody(patternBytes(100_000)) });
  await store.copyObject({ source: LARGE, bucket: 'plain', key: 'copy' });
  await store.deleteObject({ bucket: 'plain', key: 'gone' });
  const { uploadId } = await store.createUpload(PARTS);
  const part = { ...PARTS, uploadId, partNumber: 1 };
  const { etag } = await store.uploadPart({ ...part, body: bytesBody(patternBytes(70_000)) });
  await store.completeUpload({ ...PARTS, uploadId, parts: [{ partNumber: 1, etag }] });
  const open = await store.createUpload({ ...PARTS, key: 'open' });
  await store.uploadPart({
    ...PARTS,
    key: 'open',
    ...open,
    partNumber: 1,
    body: bytesBody('part'),
  });
}

const SEALED = [
  ['sealed-small', 10],
  ['sealed-large', 150_000],
] as const;

/** Adds a small, a large and a multipart object, each encrypted with a customer key. */
async function fillSealed(store: ObjectStore): Promise<void> {
  const key = { customerKey: customerKey('k') };
  for (const [name, size] of SEALED) {
    await store.putObject({
      bucket: 'bucket',
      key: name,
      body: bytesBody(patternBytes(size)),
      ...key,
    });
  }
  const sealed = { bucket: 'bucket', key: 'sealed-parts', ...key };
  const { uploadId } = await store.createUpload(sealed);
  const part = { ...sealed, uploadId, partNumber: 1, body: bytesBody(patternBytes(130_000)) };
  const { etag } = await store.uploadPart(part);
  await store.completeUpload({ ...sealed, uploadId, parts: [{ partNumber: 1, etag }] });
}

function change(dir: string, sql: string): void {
  // Deletes the file that records the last sequence number. Otherwise the store would take the
  // changed database for an older copy.
  rmSync(join(dir, 'opening'));
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec(sql);
  database.close();
}

const check = (dir: string, deep = false) => checkClosedStore(dir, { deep });

async function repair(dir: string) {
  const { engine, store } = await openTestEngine({ dir, passive: true });
  return { report: await engine.upkeep.repair({ deep: false }), store, engine };
}

/** SQL that damages the database, keyed by the code of the check rule that finds the damage. */
const BREACHES: Readonly<Record<string, string>> = {
  'garbage-needed': 'INSERT INTO garbage SELECT file FROM blob WHERE file NOT NULL LIMIT 1',
  'sequence-used': 'UPDATE store SET next_sequence = 2',
  'bucket-missing': `DELETE FROM bucket WHERE name = 'bucket'`,
  'bucket-usage':
    'UPDATE bucket_usage SET objects = objects + 1, size_bytes = 7, parts = parts + 1',
  'latest-flag': `UPDATE version SET is_latest = NOT is_latest WHERE key = 'small'`,
  'part-without-upload': 'DELETE FROM upload',
  'manifest-missing': 'DELETE FROM manifest',
  'manifest-unused':
    'INSERT INTO manifest VALUES (900, 1); INSERT INTO manifest_part SELECT 900, 0, 1, size_bytes, blob_id, NULL FROM blob LIMIT 1',
  'manifest-references': 'UPDATE manifest SET reference_count = 5',
  'blob-unused': `INSERT INTO blob SELECT 901, 1, size_bytes, sha256, segment_checksums, NULL, bytes, salt FROM blob WHERE bytes NOT NULL LIMIT 1`,
  'blob-references': 'UPDATE blob SET reference_count = reference_count + 3',
  'content-missing': `DELETE FROM blob WHERE blob_id = (SELECT blob_id FROM version WHERE key = 'large')`,
  'content-size': `UPDATE version SET size_bytes = size_bytes + 1 WHERE key IN ('large', 'parts')`,
  'encryption-differs': `UPDATE blob SET salt = NULL WHERE salt NOT NULL`,
  'null-version-twice': `UPDATE version SET version_id = 'null' WHERE key = 'small'`,
  'quarantine-unknown': `INSERT INTO quarantine VALUES (999, 'planted', 0, '[]')`,
};

/** Codes of the problems that a repair cannot fix. They need a backup. */
const BEYOND_REPAIR = new Set([
  'content-missing',
  'content-size',
  'encryption-differs',
  'null-version-twice',
]);

test('every rule of the store check has a test', () => {
  expect(Object.keys(BREACHES).sort()).toEqual(RULES.map(({ code }) => code).sort());
});

test('the store check finds no problem in an undamaged store with every kind of object', async () => {
  const dir = await storeWith();
  expect(await check(dir, true)).toMatchObject({
    problems: [],
    counts: {},
    versions: 8,
    deep: true,
    leftovers: { temporaryFiles: 0, garbage: 0, orphans: 0 },
  });
});

test.each(Object.entries(BREACHES))(
  'the store check finds the problem %s, and a repair fixes it if possible',
  async (code, sql) => {
    const dir = await storeWith(sql);
    const database = new Database(join(dir, 'store.sqlite'));
    const found = () => checkMetadata(database, () => {});
    const { counts, problems } = found();
    expect(counts[code]).toBeGreaterThan(0);
    const { repair } = problems.find((problem) => problem.code === code) ?? {};
    expect(repair === undefined).toBe(BEYOND_REPAIR.has(code));

    const versions = () => database.prepare('SELECT count(*) FROM version').pluck().get();
    const before = versions();
    const done = database.transaction(() => repairMetadata(database, () => {}))();
    expect(versions()).toBe(before);
    if (BEYOND_REPAIR.has(code)) expect(found().counts).toHaveProperty(code);
    else {
      expect(done.map((each) => each.code)).toContain(code);
      expect(found().counts).toEqual({});
    }
    database.close();
  },
);

function rows(dir: string, sql: string): unknown[] {
  const database = new Database(join(dir, 'store.sqlite'), { readonly: true });
  const found = database.prepare(sql).pluck().all();
  database.close();
  return found;
}

test('a repair restores the versions of a missing bucket under a new bucket name', async () => {
  const dir = await storeWith(BREACHES['bucket-missing']);
  const { store } = await repair(dir);
  const found = (await store.listBuckets()).find(({ name }) => name.startsWith('lost-found-'));
  const bytes = await readBytes(store, { ...LARGE, bucket: found?.name ?? '' });
  expect(bytes.equals(patternBytes(100_000))).toBe(true);
});

test('a repair restores a lost bucket row from the usage counters of the bucket', async () => {
  const dir = await storeWith(`CREATE TEMP TABLE counted AS SELECT * FROM bucket_usage;
    DELETE FROM bucket; INSERT INTO bucket_usage SELECT * FROM counted`);
  const { report } = await repair(dir);
  expect(report.after.problems).toEqual([]);
  expect(report.done.map(({ code }) => code)).toContain('bucket-missing');
});

test('a repair moves an unreferenced small body to quarantine before it deletes the body from the database', async () => {
  const dir = await storeWith(BREACHES['blob-unused']);
  await repair(dir);
  const [day = ''] = readdirSync(join(dir, 'trash'));
  expect(readdirSync(join(dir, 'trash', day))).toEqual(['blob-901']);
});

test('the store assigns no version sequence number twice after a repair of the stored counter', async () => {
  const dir = await storeWith(BREACHES['sequence-used']);
  const { store, engine } = await repair(dir);
  await store.putObject({ ...SMALL, body: bytesBody('after') });
  expect((await readBytes(store, SMALL)).toString()).toBe('after');
  await engine.close();
  expect((await check(dir, true)).problems).toEqual([]);
});

test('a repair rebuilds a database index that lacks rows', async () => {
  const dir = await storeWith();
  const database = new Database(join(dir, 'store.sqlite'));
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec(`UPDATE sqlite_schema SET sql = replace(sql, 'version_id = ', 'version_id <> ')
    WHERE name = 'noncurrent_null'`);
  database.close();
  const again = new Database(join(dir, 'store.sqlite'));
  const found = () => checkMetadata(again, () => {});
  expect(found().problems[0]).toMatchObject({
    code: 'database',
    repair: 'rebuilds the indexes',
  });
  const done = again.transaction(() => repairMetadata(again, () => {}))();
  expect(done[0]).toMatchObject({ code: 'database' });
  expect(found().problems).toEqual([]);
  again.close();
});

test('the store check reports damaged database pages', async () => {
  const dir = await storeWith();
  const [page] = rows(dir, `SELECT rootpage FROM sqlite_schema WHERE name = 'current_object'`);
  const file = openSync(join(dir, 'store.sqlite'), 'r+');
  writeSync(file, Buffer.alloc(4096), 0, 4096, (Number(page) - 1) * 4096);
  closeSync(file);
  const { problems } = await check(dir);
  expect(problems[0]).toMatchObject({ code: 'database', subject: 'store.sqlite' });
});

test('if a version lost its blob or one of its parts, the store fails a read before it returns the first byte', async () => {
  for (const code of ['content-missing', 'content-size']) {
    const { store } = await openTestEngine({ dir: await storeWith(BREACHES[code]) });
    await expect(store.getObject(LARGE)).rejects.toMatchObject({ code: 'InternalError' });
    await expect(store.headObject(LARGE)).resolves.toBeDefined();
  }
});

test.each(['', ...Object.values(BREACHES).slice(0, 11)])(
  '[ssec-20] the store decrypts encrypted objects with their customer key after a repair of: %s',
  async (sql) => {
    const { store } = await repair(await storeWith(sql));
    const buckets = await store.listBuckets();
    const bucket = buckets.find(({ name }) => name.startsWith('lost-found-'))?.name ?? 'bucket';
    for (const [name, size] of SEALED) {
      const { body } = await store.getObject({ bucket, key: name, customerKey: customerKey('k') });
      const bytes = Buffer.from(await collect(body, size));
      expect(bytes.equals(patternBytes(size))).toBe(true);
    }
  },
);

test('[ssec-20] the store check finds changed encrypted bytes without a customer key', async () => {
  const dir = await storeWith();
  const [file] = rows(dir, 'SELECT file FROM blob WHERE salt NOT NULL AND size_bytes = 150048');
  const path = blobPath(dir, String(file));
  const bytes = readFileSync(path);
  bytes[100_000] = (bytes[100_000] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect((await check(dir)).problems).toEqual([]);
  const { problems } = await check(dir, true);
  expect(problems).toMatchObject([{ code: 'bytes-damaged' }]);
});

test('a repair moves a file without a database row to quarantine', async () => {
  const dir = await storeWith();
  const stray = 'ab'.repeat(16);
  mkdirSync(dirname(blobPath(dir, stray)), { recursive: true });
  writeFileSync(blobPath(dir, stray), 'stray');
  writeFileSync(join(dir, 'tmp', stray), 'half');
  const found = await check(dir);
  expect(found).toMatchObject({
    problems: [],
    leftovers: { temporaryFiles: 1, garbage: 0, orphans: 1 },
  });
  const { report } = await repair(dir);
  expect(report.done).toMatchObject([{ code: 'file-unknown' }]);
  expect(existsSync(blobPath(dir, stray))).toBe(false);
  const [day = ''] = readdirSync(join(dir, 'trash'));
  expect(readdirSync(join(dir, 'trash', day))).toEqual([stray]);
});

test('a repair restores a file that the database refers to from quarantine', async () => {
  const dir = await storeWith();
  const file = largeFile(dir);
  mkdirSync(join(dir, 'trash', '2026-11-20'), { recursive: true });
  renameSync(blobPath(dir, file), join(dir, 'trash', '2026-11-20', file));
  expect((await check(dir)).problems).toMatchObject([{ message: `its file ${file} is missing` }]);
  const { report, store } = await repair(dir);
  expect(report.after.problems).toEqual([]);
  expect((await readBytes(store, LARGE)).equals(patternBytes(100_000))).toBe(true);
});

test.each([
  ['is missing', (path: string) => unlinkSync(path), false],
  ['is too short', (path: string) => writeFileSync(path, 'short'), false],
  ['has other bytes', (path: string) => writeFileSync(path, patternBytes(100_000, 9)), true],
])('the store check reports each version whose file %s', async (_, damage, deep) => {
  const dir = await storeWith();
  damage(blobPath(dir, largeFile(dir)));
  if (deep) expect((await check(dir)).problems).toEqual([]);
  const { problems } = await check(dir, deep);
  expect(problems).toMatchObject([{ code: 'bytes-damaged' }]);
  expect(problems[0]?.versions?.map(({ bucket, key }) => `${bucket}/${key}`).sort()).toEqual([
    'bucket/large',
    'plain/copy',
  ]);
  const { engine, store } = await openTestEngine({ dir, passive: true });
  const { done } = await engine.upkeep.repair({ deep });
  expect(done).toMatchObject([{ code: 'bytes-damaged' }]);
  expect(engine.upkeep.health()).toMatchObject({ state: 'degraded', damagedCount: 1 });
  await expect(store.getObject(LARGE)).rejects.toMatchObject({ code: 'InternalError' });
});

function largeFile(dir: string): string {
  const file = rows(dir, 'SELECT file FROM blob WHERE size_bytes = 100000')[0];
  expect(blobFiles(dir)).toContain(file);
  return String(file);
}

test('the store check refuses a store of an older format, an open store and a folder without a database', async () => {
  const dir = await storeWith('PRAGMA user_version = 1');
  await expect(check(dir)).rejects.toMatchObject({ code: 'OlderStore' });
  const { dir: open } = await openTestEngine();
  await expect(check(open)).rejects.toMatchObject({ code: 'StoreInUse' });
  rmSync(join(dir, 'store.sqlite'));
  await expect(check(dir)).rejects.toMatchObject({ code: 'NotAStore' });
});
