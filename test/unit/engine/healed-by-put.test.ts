/**
 * Tests that a put of equal bytes repairs damaged stored bytes, and tests of the list of damaged
 * versions.
 */

import { readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { blobFiles, blobPath } from '../../helpers/store-files.ts';
import {
  MIN_PART_BYTES,
  openTestEngine,
  patternBytes,
  readBytes,
  type TestEngine,
} from '../../helpers/test-engine.ts';
import { until } from '../../helpers/until.ts';

const SIZE = 300_000;
const REF = { bucket: 'bucket', key: 'a/k' };

const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['has a flipped bit', (path) => writeFileSync(path, flipped(readFileSync(path)))],
  ['is missing', (path) => unlinkSync(path)],
  ['is too short', (path) => truncateSync(path, SIZE / 2)],
  ['is empty', (path) => truncateSync(path, 0)],
];

function flipped(bytes: Buffer): Buffer {
  bytes[100_000] = (bytes[100_000] ?? 0) ^ 1;
  return bytes;
}

/** Creates an object that is stored in one file and a copy that shares the file. */
async function withCopy(): Promise<TestEngine & { readonly path: string }> {
  const opened = await openTestEngine();
  const { store, dir } = opened;
  await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  await store.putObject({ ...REF, body: bytesBody(patternBytes(SIZE)) });
  await store.copyObject({ source: REF, bucket: 'bucket', key: 'b/copy' });
  return { ...opened, path: blobPath(dir, blobFiles(dir)[0] ?? '') };
}

test.each(DAMAGES)(
  'a put of equal bytes repairs the old version and its copies if their file %s',
  async (_, damage) => {
    const { store, engine, dir, path } = await withCopy();
    const { versionId = '' } = await store.headObject(REF).then(({ info }) => info);
    damage(path);
    await expect(readBytes(store, REF)).rejects.toMatchObject({ code: 'InternalError' });
    const { damage: monitor } = engine;
    const damaged = await monitor.damagedObjects({ bucket: 'bucket', prefix: '' });
    expect(damaged.map(({ key }) => key)).toEqual(['a/k', 'b/copy']);
    expect(await monitor.damagedObjects({ bucket: 'bucket', prefix: 'b/' })).toHaveLength(1);
    let calls = 0;
    monitor.onDamageChange(() => calls++);

    await store.putObject({ ...REF, body: bytesBody(patternBytes(SIZE)) });
    const whole = patternBytes(SIZE).toString('hex');
    for (const ref of [REF, { ...REF, versionId }, { bucket: 'bucket', key: 'b/copy' }])
      expect((await readBytes(store, ref)).toString('hex') === whole).toBe(true);
    expect(engine.upkeep.health()).toMatchObject({ state: 'in order', damagedCount: 0 });
    expect(calls).toBe(1);
    await until(
      () => blobFiles(dir),
      (files) => files.length === 1,
    );
    expect((await engine.upkeep.check({ deep: true })).problems).toEqual([]);
  },
);

test('the store still reports the previous version as damaged after a put of different bytes', async () => {
  const { store, engine, path } = await withCopy();
  unlinkSync(path);
  await expect(readBytes(store, REF)).rejects.toMatchObject({ code: 'InternalError' });
  await store.putObject({ ...REF, body: bytesBody(patternBytes(SIZE, 2)) });
  expect(await engine.damage.damagedObjects({ bucket: 'bucket', prefix: '' })).toHaveLength(2);
  expect(engine.upkeep.health()).toMatchObject({ state: 'degraded', damagedCount: 1 });
  expect((await readBytes(store, REF)).equals(patternBytes(SIZE, 2))).toBe(true);
});

test('uploading parts with the same content again repairs the damaged parts of a multipart object', async () => {
  const { store, engine, dir } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  const parts = [patternBytes(MIN_PART_BYTES), patternBytes(SIZE, 2)];
  const upload = async () => {
    const { uploadId } = await store.createUpload(REF);
    const made = [];
    for (const [index, bytes] of parts.entries()) {
      const partNumber = index + 1;
      const part = { ...REF, uploadId, partNumber, body: bytesBody(bytes) };
      made.push({ partNumber, etag: (await store.uploadPart(part)).etag });
    }
    return store.completeUpload({ ...REF, uploadId, parts: made });
  };
  const { versionId = '' } = await upload();
  for (const file of blobFiles(dir)) truncateSync(blobPath(dir, file), 1);
  await engine.sweep();
  await engine.upkeep.repair({ deep: true });
  const place = { bucket: 'bucket', prefix: 'a/' };
  expect(await engine.damage.damagedObjects(place)).toMatchObject([{ key: 'a/k', versionId }]);
  await upload();
  expect(await engine.damage.damagedObjects(place)).toEqual([]);
  const old = await readBytes(store, { ...REF, versionId });
  expect(old.equals(Buffer.concat(parts))).toBe(true);
});

test('a put of equal bytes repairs damage that was found before a restart', async () => {
  const { store, engine, dir, path } = await withCopy();
  unlinkSync(path);
  await expect(readBytes(store, REF)).rejects.toMatchObject({ code: 'InternalError' });
  await engine.close();
  const again = await openTestEngine({ dir });
  await again.store.putObject({ ...REF, body: bytesBody(patternBytes(SIZE)) });
  expect(again.engine.upkeep.health().damagedCount).toBe(0);
});

test('a put of equal bytes repairs a damaged small object in the database', async () => {
  const { store, engine, dir } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket', objectLockEnabled: true });
  await store.putObject({ ...REF, body: bytesBody('small') });
  await engine.close();
  const database = new Database(`${dir}/store.sqlite`);
  database.exec(`UPDATE blob SET bytes = CAST('smell' AS BLOB)`);
  database.close();
  const again = await openTestEngine({ dir });
  const { versionId = '' } = await again.store.headObject(REF).then(({ info }) => info);
  await expect(readBytes(again.store, REF)).rejects.toMatchObject({ code: 'InternalError' });
  const place = { bucket: 'bucket', prefix: '' };
  expect(await again.engine.damage.damagedObjects(place)).toHaveLength(1);
  await again.store.putObject({ ...REF, body: bytesBody('small') });
  expect(String(await readBytes(again.store, { ...REF, versionId }))).toBe('small');
  expect(await again.engine.damage.damagedObjects(place)).toEqual([]);
});
