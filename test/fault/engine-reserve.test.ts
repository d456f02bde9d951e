/**
 * Tests of the disk-space reserve, a file that a store deletes when the disk is full so that
 * deletes still work.
 */

import { renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { HOUR_MS } from '../../src/base/durations.ts';
import type { FileOperations } from '../../src/engine/disk/faults.ts';
import { RESERVE_BYTES, ROOM_FOR_RESERVE } from '../../src/engine/writes/reserve.ts';
import { STORE_FORMAT } from '../../src/engine/schema/schema.ts';
import { checkClosedStore } from '../../src/engine/maintenance/closed-store.ts';
import { type Body, bytesBody } from '../../src/object-store/body.ts';
import {
  DISK_BYTES,
  fillDisk,
  freeBytesOf,
  hasReserve,
  smallDisk,
  untilReserve,
} from '../helpers/full-disk.ts';
import { crashAt } from '../helpers/reserve-crash.ts';
import { blobFiles, temporaryFiles } from '../helpers/store-files.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { openTestEngine, readBytes, type TestEngine } from '../helpers/test-engine.ts';
import { until } from '../helpers/until.ts';

const BUCKET = 'bucket';
const small = () => bytesBody(Buffer.alloc(20_000, 'small'));
const large = () => bytesBody(Buffer.alloc(200_000, 'large'));
const FULL = { code: 'InsufficientStorage' };

interface OnDisk extends TestEngine {
  readonly disk: string;
  readonly ballast: string;
  /** The keys of the objects in the bucket. */
  readonly keys: readonly string[];
}

/**
 * Opens a store on a small disk, with `count` versions, a disk-space reserve and an empty
 * write-ahead log.
 */
async function openOnDisk(count = 60): Promise<OnDisk> {
  const { disk, ballast } = smallDisk();
  const dir = join(disk, 'store');
  const { engine, store, clock } = await openTestEngine({ dir });
  await store.createBucket({ bucket: BUCKET });
  await store.putVersioning({ bucket: BUCKET, versioning: 'Enabled' });
  const keys = Array.from({ length: count }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key) => store.putObject({ bucket: BUCKET, key, body: small() })));
  // If the first attempt to create the reserve comes too early, advancing the clock triggers another
  // attempt.
  await until(
    () => (clock.advance(1000), hasReserve(dir)),
    (isMade) => isMade,
  );
  await engine.close();
  return { ...(await openTestEngine({ dir })), disk, ballast, keys };
}

/** Fills the disk completely and deletes all keys. The deletes release the reserve. */
async function spendReserve({ dir, disk, ballast, store, keys }: OnDisk): Promise<void> {
  fillDisk(disk, ballast, 0);
  for (const key of keys) await store.deleteObject({ bucket: BUCKET, key });
  expect(hasReserve(dir)).toBe(false);
}

test('opening a store creates its disk-space reserve, fully allocated and accessible only to the owner of the store', async () => {
  const { disk } = smallDisk();
  const dir = join(disk, 'store');
  const { clock } = await openTestEngine({ dir });
  expect(hasReserve(dir)).toBe(false);
  clock.advance(1000);
  await untilReserve(dir);
  const { mode, blocks } = statSync(join(dir, 'reserve'));
  expect([mode & 0o777, blocks * 512 >= RESERVE_BYTES]).toEqual([0o600, true]);
});

test('a store survives the removal of its disk, and creates its disk-space reserve when the disk is back', async () => {
  const { disk } = smallDisk();
  const dir = join(disk, 'store');
  const { clock } = await openTestEngine({ dir });
  renameSync(dir, `${dir}.removed`);
  clock.advance(1000);
  renameSync(`${dir}.removed`, dir);
  expect(hasReserve(dir)).toBe(false);
  clock.advance(HOUR_MS);
  await untilReserve(dir);
});

test('a store on a full disk allows deletes, aborts and expiry, and rejects writes that need space', async () => {
  const on = await openOnDisk();
  const { store, dir, engine } = on;
  const upload = { bucket: BUCKET, key: 'upload' };
  const { uploadId } = await store.createUpload(upload);
  await store.uploadPart({ ...upload, uploadId, partNumber: 1, body: small() });
  const file = await store.putObject({ bucket: BUCKET, key: 'file', body: large() });
  await store.putObject({ bucket: BUCKET, key: 'expiring', body: small() });
  await spendReserve(on);

  const putLarge = () => store.putObject({ bucket: BUCKET, key: 'new', body: large() });
  for (const refused of [
    () => store.putObject({ bucket: BUCKET, key: 'new', body: small() }),
    putLarge,
    () => store.createUpload({ bucket: BUCKET, key: 'new' }),
    () => store.uploadPart({ ...upload, uploadId, partNumber: 2, body: small() }),
    () => store.createBucket({ bucket: 'another' }),
    () =>
      store.copyObject({ bucket: BUCKET, key: 'copy', source: { bucket: BUCKET, key: 'file' } }),
  ])
    await expect(refused()).rejects.toMatchObject(FULL);
  expect([blobFiles(dir).length, temporaryFiles(dir)]).toEqual([1, []]);
  expect(engine.upkeep.health()).toMatchObject({
    state: 'degraded',
    reasons: [expect.stringContaining('its disk is full') as string],
  });

  await store.abortUpload({ ...upload, uploadId });
  await store.deleteObject({ bucket: BUCKET, key: 'file', ...file });
  const rules = [{ enabled: true, filter: {}, expiration: { date: 0 } }];
  await store.putLifecycle({ bucket: BUCKET, rules });
  expect(await engine.lifecycle.run()).toMatchObject({ expired: 1 });
  await expect(putLarge()).rejects.toMatchObject(FULL);
});

test('a store accepts puts and creates its disk-space reserve again as soon as space is free', async () => {
  const on = await openOnDisk();
  await spendReserve(on);
  const put = () => on.store.putObject({ bucket: BUCKET, key: 'new', body: large() });
  await expect(put()).rejects.toMatchObject(FULL);
  rmSync(on.ballast);
  await put();
  await untilReserve(on.dir);
  expect(on.engine.upkeep.health().state).toBe('in order');
});

test('a store does not create a disk-space reserve that would use more than half of the free space', async () => {
  const on = await openOnDisk();
  await spendReserve(on);
  truncateSync(on.ballast, 0);
  fillDisk(on.disk, on.ballast, ROOM_FOR_RESERVE - 64 * 1024);
  on.clock.advance(HOUR_MS);
  const put = on.store.putObject({ bucket: BUCKET, key: 'new', body: small() });
  await expect(put).rejects.toMatchObject(FULL);
  expect(hasReserve(on.dir)).toBe(false);
});

test('deleting small bodies frees their space on a full disk', async () => {
  const on = await openOnDisk(400);
  fillDisk(on.disk, on.ballast, 0);
  const { versions } = await on.store.listVersions({ bucket: BUCKET });
  expect(versions.length).toBe(400);
  for (const { key, versionId } of versions)
    await on.store.deleteObject({ bucket: BUCKET, key, versionId });
  expect((await on.store.listVersions({ bucket: BUCKET })).versions).toEqual([]);
  // The deleted bodies have 8 MB in total. The unused rest of the reserve is also free.
  await until(
    () => freeBytesOf(on.disk),
    (free) => free >= ROOM_FOR_RESERVE,
  );
  await on.store.putObject({ bucket: BUCKET, key: 'new', body: small() });
  await untilReserve(on.dir);
});

test('hundreds of single deletes on a full disk need no more space than the disk-space reserve', async () => {
  const on = await openOnDisk(300);
  fillDisk(on.disk, on.ballast, 0);
  for (let round = 0; round < 4; round++)
    for (const key of on.keys) await on.store.deleteObject({ bucket: BUCKET, key });
  const { objects } = await on.store.listObjects({ bucket: BUCKET });
  expect(objects).toEqual([]);
  // Each checkpoint lets the store reuse the write-ahead log from its start, so the log stays
  // small.
  expect(statSync(join(on.dir, 'store.sqlite-wal')).size).toBeLessThan(2 ** 20);
});

test('a delete fails when the disk-space reserve is used up, and succeeds once some space is free', async () => {
  const on = await openOnDisk();
  const { store, disk, ballast, keys } = on;
  await spendReserve(on);
  fillDisk(disk, ballast, 0);
  // Creates delete markers of new keys. Each one needs space permanently.
  const markers = async () => {
    for (let index = 0; index < 2000; index++)
      await store.deleteObject({ bucket: BUCKET, key: `never-${index}` });
  };
  await expect(markers()).rejects.toMatchObject({
    ...FULL,
    message: expect.stringContaining('the space reserved for deletes is used up') as string,
  });
  const { size } = statSync(ballast);
  truncateSync(ballast, size - 2 ** 20);
  await store.deleteObject({ bucket: BUCKET, key: keys[0] ?? '' });
});

test('a store rejects a put that is queued together with the delete that releases the disk-space reserve', async () => {
  const { store, dir, disk, ballast, keys } = await openOnDisk();
  fillDisk(disk, ballast, 0);
  const deleted = Promise.all(keys.map((key) => store.deleteObject({ bucket: BUCKET, key })));
  const put = store.putObject({ bucket: BUCKET, key: 'new', body: small() });
  await expect(put).rejects.toMatchObject(FULL);
  await deleted;
  expect(hasReserve(dir)).toBe(false);
});

test('an upload in progress uses no space of the disk-space reserve when a delete releases it', async () => {
  const on = await openOnDisk();
  const spent = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let pieces = 0;
  const body: Body = {
    replayable: false,
    async *open() {
      for (; pieces < 12; pieces += 1) {
        if (pieces === 4) begun.resolve();
        if (pieces === 4) await spent.promise;
        yield Buffer.alloc(2 ** 20);
      }
    },
  };
  const put = on.store.putObject({ bucket: BUCKET, key: 'large', body });
  const ended = Promise.allSettled([put]);
  await begun.promise;
  await spendReserve(on);
  const free = freeBytesOf(on.disk);
  spent.resolve();
  expect(await ended).toMatchObject([{ status: 'rejected', reason: FULL }]);
  expect(pieces).toBeLessThan(7);
  // The store also deletes the part of the body that was already written.
  expect(freeBytesOf(on.disk)).toBeGreaterThanOrEqual(free + 2 * 2 ** 20);
});

test('data that is only in the write-ahead log does not use up the disk-space reserve', async () => {
  const on = await openOnDisk(0);
  // Leaves enough space for the bodies in the write-ahead log, but not for a second copy of them in the
  // database.
  fillDisk(on.disk, on.ballast, 9.5 * 2 ** 20);
  const keys = Array.from({ length: 400 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key) => on.store.putObject({ bucket: BUCKET, key, body: small() })));
  const { size } = statSync(join(on.dir, 'store.sqlite'));
  await spendReserve({ ...on, keys: keys.slice(0, 50) });
  expect(statSync(join(on.dir, 'store.sqlite')).size).toBe(size);
});

test('a store keeps its write-ahead log short when the disk is nearly full', async () => {
  const on = await openOnDisk(0);
  for (let round = 0; round < 8; round++) {
    const puts = Array.from({ length: 50 }, (_, index) =>
      on.store.putObject({ bucket: BUCKET, key: `${round}-${index}`, body: small() }),
    );
    await Promise.all(puts);
  }
  expect(statSync(join(on.dir, 'store.sqlite-wal')).size).toBeLessThan(4 * 2 ** 20);
});

test('a store whose reserve exceeds a disk quota retries once a minute to create it, even while it rejects writes', async () => {
  const dir = temporaryFolder('engine');
  let tries = 0;
  const files: Partial<FileOperations> = {
    open: (path, ...how) => {
      if (!String(path).endsWith('reserve.next')) return open(path, ...how);
      tries += 1;
      return Promise.reject(Object.assign(new Error('over quota'), { code: 'EDQUOT' }));
    },
  };
  const { engine, store, clock } = await openTestEngine({ dir, faults: { files } });
  await store.createBucket({ bucket: BUCKET });
  clock.advance(1000);
  const put = () => store.putObject({ bucket: BUCKET, key: 'k', body: small() });
  await until(
    () => engine.upkeep.health().state,
    (state) => state === 'degraded',
  );
  for (let index = 0; index < 10; index++) await expect(put()).rejects.toMatchObject(FULL);
  expect(tries).toBe(1);
  clock.advance(60_000);
  expect(tries).toBe(2);
});

test.each([0, 1, 8, 12])(
  'a store with its reserve and space for %i more pages can be opened, read, and deleted from',
  async (pages) => {
    const on = await openOnDisk();
    await on.engine.close();
    // The file is only a hint for other processes. The store must open even without space to
    // write the file.
    rmSync(join(on.dir, 'lock.holder'));
    fillDisk(on.disk, on.ballast, pages * 4096);
    const { store } = await openTestEngine({ dir: on.dir });
    expect(hasReserve(on.dir)).toBe(false);
    const ref = { bucket: BUCKET, key: 'k0' };
    expect((await readBytes(store, ref)).length).toBe(20_000);
    await expect(store.putObject({ ...ref, body: small() })).rejects.toMatchObject(FULL);
    await store.deleteObject(ref);
    await expect(store.headObject(ref)).rejects.toMatchObject({ code: 'NoSuchKey' });
  },
);

test('opening a store releases its disk-space reserve when a disk quota leaves no space for the database', async () => {
  const dir = temporaryFolder('engine');
  writeFileSync(join(dir, 'reserve'), Buffer.alloc(RESERVE_BYTES));
  const error = 'SQLITE_FULL';
  const crash = { point: 'after-migration', pass: STORE_FORMAT, error } as const;
  const { store } = await openTestEngine({ dir, faults: { crash } });
  expect(hasReserve(dir)).toBe(false);
  expect(await store.listBuckets()).toEqual([]);
});

test('a store whose earlier process used up the reserve rejects writes that would use the remaining space', async () => {
  const on = await openOnDisk();
  await spendReserve(on);
  await on.engine.close();
  const { store } = await openTestEngine({ dir: on.dir });
  const put = store.putObject({ bucket: BUCKET, key: 'new', body: small() });
  await expect(put).rejects.toMatchObject(FULL);
  await store.deleteObject({ bucket: BUCKET, key: 'k0' });
});

test.each(['after-reserve-write', 'after-reserve-make'] as const)(
  'a store whose process was killed at the fail point %s has a disk-space reserve, or creates one when it is reopened',
  async (point) => {
    const { disk } = smallDisk();
    const dir = join(disk, 'store');
    expect(await crashAt({ dir, point, deletes: [] })).toBe('SIGKILL');
    expect(hasReserve(dir)).toBe(point === 'after-reserve-make');
    const { clock, engine, store } = await openTestEngine({ dir });
    clock.advance(1000);
    await untilReserve(dir);
    await store.createBucket({ bucket: BUCKET });
    await engine.close();
    expect(statSync(join(dir, 'reserve.next'), { throwIfNoEntry: false })).toBeUndefined();
    const { problems, leftovers } = await checkClosedStore(dir, { deep: true });
    expect([problems, leftovers]).toEqual([[], { temporaryFiles: 0, garbage: 0, orphans: 0 }]);
  },
);

test('a store accepts deletes after its process was killed while it released the disk-space reserve', async () => {
  const on = await openOnDisk();
  await on.engine.close();
  // Leaves enough space to open the store, so that a delete and not the opening has to release the
  // reserve.
  fillDisk(on.disk, on.ballast, 1.1 * 2 ** 20);
  const deletes = Array.from({ length: 20 }).flatMap(() =>
    on.keys.map((key) => ({ bucket: BUCKET, key })),
  );
  expect(await crashAt({ dir: on.dir, point: 'after-reserve-spend', deletes })).toBe('SIGKILL');
  expect(hasReserve(on.dir)).toBe(false);
  const { store, engine } = await openTestEngine({ dir: on.dir });
  for (const { key, versionId } of (await store.listVersions({ bucket: BUCKET })).versions)
    await store.deleteObject({ bucket: BUCKET, key, versionId });
  await engine.close();
  rmSync(on.ballast);
  expect((await checkClosedStore(on.dir, { deep: true })).problems).toEqual([]);
});

test('opening a store on a full disk releases a half-written reserve as well as a complete one', async () => {
  const on = await openOnDisk();
  await on.engine.close();
  writeFileSync(join(on.dir, 'reserve.next'), Buffer.alloc(2 * 2 ** 20));
  fillDisk(on.disk, on.ballast, 0);
  await openTestEngine({ dir: on.dir });
  expect(freeBytesOf(on.disk)).toBeGreaterThan(RESERVE_BYTES + 1.5 * 2 ** 20);
});

test('a store with a truncated disk-space reserve creates a full one after it is opened', async () => {
  const on = await openOnDisk();
  await on.engine.close();
  truncateSync(join(on.dir, 'reserve'), 4096);
  const { clock } = await openTestEngine({ dir: on.dir });
  clock.advance(1000);
  await untilReserve(on.dir);
  expect(freeBytesOf(on.disk)).toBeLessThan(DISK_BYTES - RESERVE_BYTES);
});
