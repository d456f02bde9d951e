/**
 * Tests that damaged stored bytes are repaired with those of an equal version that was stored
 * before the damage was found.
 */

import { unlinkSync } from 'node:fs';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { blobFiles, blobPath } from '../../helpers/store-files.ts';
import {
  MIN_PART_BYTES,
  openTestEngine,
  patternBytes,
  readBytes,
  type TestEngine,
} from '../../helpers/test-engine.ts';

const SIZE = 300_000;
const REF = { bucket: 'bucket', key: 'a/k' };
const COPY = { bucket: 'bucket', key: 'b/copy' };
const EQUAL = { bucket: 'other', key: 'equal' };
const ALL = { bucket: 'bucket', prefix: '' };

interface Stored extends TestEngine {
  /** The version whose bytes the tests damage. A copy shares its bytes. */
  readonly old: typeof REF & { readonly versionId: string };
  readonly oldFiles: readonly string[];
}

/**
 * Writes an object, a copy that shares its bytes, and an equal object in another bucket with bytes
 * in a separate file.
 */
async function stored(write: (store: ObjectStore, ref: typeof REF) => Promise<unknown>) {
  const opened = await openTestEngine();
  const { store, dir } = opened;
  for (const bucket of [REF.bucket, EQUAL.bucket])
    await store.createBucket({ bucket, objectLockEnabled: true });
  await write(store, REF);
  await store.copyObject({ source: REF, ...COPY });
  const { versionId = '' } = await store.headObject(REF).then(({ info }) => info);
  const oldFiles = blobFiles(dir);
  await write(store, EQUAL);
  return { ...opened, old: { ...REF, versionId }, oldFiles };
}

const put = (bytes: Buffer) => (store: ObjectStore, ref: typeof REF) =>
  store.putObject({ ...ref, body: bytesBody(bytes) });

const PARTS = [patternBytes(MIN_PART_BYTES), patternBytes(SIZE, 2)];

async function upload(store: ObjectStore, ref: typeof REF): Promise<void> {
  const { uploadId } = await store.createUpload(ref);
  const parts = [];
  for (const [index, bytes] of PARTS.entries()) {
    const part = { ...ref, uploadId, partNumber: index + 1, body: bytesBody(bytes) };
    parts.push({ partNumber: index + 1, etag: (await store.uploadPart(part)).etag });
  }
  await store.completeUpload({ ...ref, uploadId, parts });
}

function remove({ dir, oldFiles }: Stored): void {
  for (const file of oldFiles) unlinkSync(blobPath(dir, file));
}

async function expectWhole({ store, engine, old }: Stored, bytes: Buffer): Promise<void> {
  for (const ref of [old, COPY, EQUAL])
    expect((await readBytes(store, ref)).equals(bytes)).toBe(true);
  expect(engine.upkeep.health()).toMatchObject({ state: 'in order', damagedCount: 0 });
  expect((await engine.upkeep.check({ deep: true })).problems).toEqual([]);
}

test('garbage collection repairs a damaged version and its copy with the bytes of an equal version', async () => {
  const all = await stored(put(patternBytes(SIZE)));
  remove(all);
  let calls = 0;
  all.engine.damage.onDamageChange(() => calls++);
  await all.engine.sweep();
  expect(calls).toBeGreaterThan(0);
  await expectWhole(all, patternBytes(SIZE));
  await all.store.deleteObject({ ...EQUAL });
  expect((await readBytes(all.store, all.old)).equals(patternBytes(SIZE))).toBe(true);
});

test('garbage collection repairs a damaged multipart object with equal parts', async () => {
  const all = await stored(upload);
  expect(all.oldFiles).toHaveLength(2);
  remove(all);
  await all.engine.sweep();
  await expectWhole(all, Buffer.concat(PARTS));
});

test('a deep repair finds a damaged version and repairs it with the bytes of an equal version', async () => {
  const all = await stored(put(Buffer.from('small')));
  await all.engine.close();
  damageSmall(all, `key IN ('a/k', 'b/copy')`);
  const again = await openTestEngine({ dir: all.dir, passive: true });
  const { after } = await again.engine.upkeep.repair({ deep: true });
  expect(after.problems).toEqual([]);
  await expectWhole({ ...all, ...again }, Buffer.from('small'));
});

test('the store does not repair a damaged version with the bytes of an equal version that is damaged too', async () => {
  const all = await stored(put(Buffer.from('small')));
  await all.engine.close();
  damageSmall(all, 'true');
  const again = await openTestEngine({ dir: all.dir, passive: true });
  await expect(readBytes(again.store, all.old)).rejects.toMatchObject({ code: 'InternalError' });
  expect(await again.engine.damage.damagedObjects(ALL)).toHaveLength(2);
  await again.engine.sweep();
  expect(await again.engine.damage.damagedObjects(ALL)).toHaveLength(2);
  expect(await again.engine.damage.damagedObjects({ bucket: 'other', prefix: '' })).toHaveLength(1);
});

test.each([
  ['SHA-256', 'UPDATE version SET checksum = NULL'],
  [
    'checksum',
    'UPDATE blob SET sha256 = zeroblob(16) WHERE blob_id = (SELECT min(blob_id) FROM blob)',
  ],
])(
  'the store does not repair a damaged version with bytes of the same size and ETag if the %s differs',
  async (_, change) => {
    const all = await stored((store, ref) =>
      put(patternBytes(SIZE, ref.key === EQUAL.key ? 2 : 1))(store, ref),
    );
    await all.engine.close();
    execute(
      all,
      `UPDATE version SET etag = (SELECT etag FROM version WHERE key = 'a/k'); ${change}`,
    );
    remove(all);
    const again = await openTestEngine({ dir: all.dir, passive: true });
    await again.engine.sweep();
    expect(await again.engine.damage.damagedObjects(ALL)).toHaveLength(2);
  },
);

test('the store never repairs an encrypted version with the bytes of another version', async () => {
  const key = { customerKey: customerKey('k') };
  const { store, engine, dir } = await openTestEngine();
  await store.createBucket({ bucket: REF.bucket, objectLockEnabled: true });
  await store.putObject({ ...REF, ...key, body: bytesBody(patternBytes(SIZE)) });
  const [file = ''] = blobFiles(dir);
  await store.putObject({ ...COPY, ...key, body: bytesBody(patternBytes(SIZE)) });
  unlinkSync(blobPath(dir, file));
  await engine.sweep();
  expect(await engine.damage.damagedObjects(ALL)).toMatchObject([{ key: REF.key }]);
});

/** Damages the bytes of objects that are stored inside the database. */
function damageSmall(all: Stored, where: string): void {
  execute(
    all,
    `UPDATE blob SET bytes = CAST('smell' AS BLOB)
     WHERE blob_id IN (SELECT blob_id FROM version WHERE ${where})`,
  );
}

function execute({ dir }: Stored, sql: string): void {
  const database = new Database(`${dir}/store.sqlite`);
  database.exec(sql);
  database.close();
}
