import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { blobFiles, blobPath, temporaryFiles } from '../../helpers/store-files.ts';
import { openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

const ORPHAN = 'ab'.repeat(16);

test('garbage collection deletes the temporary and orphaned files of a crash and no other files', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody(patternBytes(100_000)) });
  const kept = blobFiles(dir);
  mkdirSync(dirname(blobPath(dir, ORPHAN)), { recursive: true });
  writeFileSync(blobPath(dir, ORPHAN), 'left behind');
  writeFileSync(join(dir, 'tmp', ORPHAN), 'half');
  const report = await engine.sweep();
  expect(report).toEqual({
    temporaryFiles: 1,
    orphans: 1,
    garbage: 0,
    restored: 0,
    emptied: 0,
    damaged: [],
  });
  expect(blobFiles(dir)).toEqual(kept);
  expect(temporaryFiles(dir)).toEqual([]);
});

test('a store runs one garbage collection automatically after it opens', async () => {
  const first = await openTestEngine();
  await first.engine.close();
  writeFileSync(join(first.dir, 'tmp', ORPHAN), 'half');
  const { engine } = await openTestEngine({ dir: first.dir });
  // This second garbage collection finds nothing, because the automatic one has run before.
  expect(await engine.sweep()).toMatchObject({ temporaryFiles: 0 });
  expect(temporaryFiles(first.dir)).toEqual([]);
});

test('garbage collection deletes files of removed versions that a crash left on disk', async () => {
  const first = await openTestEngine();
  await first.engine.close();
  const database = new Database(join(first.dir, 'store.sqlite'));
  database.prepare('INSERT INTO garbage (file) VALUES (?)').run(ORPHAN);
  database.close();
  mkdirSync(dirname(blobPath(first.dir, ORPHAN)), { recursive: true });
  writeFileSync(blobPath(first.dir, ORPHAN), 'garbage');
  const { engine, dir } = await openTestEngine({ dir: first.dir });
  await engine.sweep();
  await engine.close();
  expect(blobFiles(dir)).toEqual([]);
  const after = new Database(join(dir, 'store.sqlite'), { readonly: true });
  expect(after.prepare('SELECT count(*) FROM garbage').pluck().get()).toBe(0);
  after.close();
});

test('garbage collection ignores files that are being written', async () => {
  const { engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  const bytes = patternBytes(2_000_000);
  const keys = [...Array(30).keys()].map((index) => `k${index}`);
  const puts = keys.map((key) =>
    store.putObject({ bucket: 'bucket', key, body: bytesBody(bytes) }),
  );
  const sweeps = [engine.sweep(), engine.sweep(), engine.sweep()];
  await Promise.all([...puts, ...sweeps]);
  for (const key of keys) {
    expect((await readBytes(store, { bucket: 'bucket', key })).equals(bytes)).toBe(true);
  }
  expect(await engine.sweep()).toMatchObject({ orphans: 0, damaged: [] });
});

test('garbage collection ignores files in blobs/ whose names are not blob names', async () => {
  const { dir, engine } = await openTestEngine();
  mkdirSync(join(dir, 'blobs', 'ab', 'folder'), { recursive: true });
  writeFileSync(join(dir, 'blobs', 'ab', 'notes.txt'), 'of another program');
  expect(await engine.sweep()).toMatchObject({ orphans: 0 });
  expect(blobFiles(dir)).toEqual(['notes.txt']);
});

test('garbage collection reports every version as damaged if all blob files are missing, and deletes no version', async () => {
  const first = await openTestEngine();
  await first.store.createBucket({ bucket: 'bucket' });
  for (let index = 0; index < 20; index++) {
    const body = bytesBody(patternBytes(70_000, index + 1));
    await first.store.putObject({ bucket: 'bucket', key: `k${index}`, body });
  }
  await first.engine.close();
  rmSync(join(first.dir, 'blobs'), { recursive: true });
  const { engine, store } = await openTestEngine({ dir: first.dir });
  await engine.sweep();
  expect(engine.upkeep.health()).toMatchObject({ state: 'degraded', damagedCount: 20 });
  expect((await store.listObjects({ bucket: 'bucket' })).objects).toHaveLength(20);
  for (const key of ['k0', 'k19']) {
    const read = store.getObject({ bucket: 'bucket', key });
    await expect(read).rejects.toMatchObject({ code: 'InternalError' });
  }
});

test('garbage collection keeps unknown files in the quarantine folder and continues', async () => {
  const { dir, engine } = await openTestEngine();
  await engine.sweep();
  const trash = join(dir, 'trash');
  mkdirSync(join(trash, '0-notes'), { recursive: true });
  mkdirSync(join(trash, '2000-01-01', 'folder'), { recursive: true });
  writeFileSync(join(trash, '2000-01-01', ORPHAN), 'old');
  writeFileSync(join(trash, '.DS_Store'), 'theirs');
  expect(await engine.sweep()).toMatchObject({ emptied: 1 });
  expect(readdirSync(trash).sort()).toEqual(['.DS_Store', '0-notes', '2000-01-01']);
});

test('closing a store does not wait until all quarantined bytes are read', async () => {
  const first = await openTestEngine();
  await first.store.createBucket({ bucket: 'bucket' });
  await first.store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody('whole again') });
  await first.engine.close();
  const database = new Database(join(first.dir, 'store.sqlite'));
  database.exec(`INSERT INTO quarantine SELECT blob_id, 'planted', 0, '[]' FROM blob`);
  database.close();
  const { engine } = await openTestEngine({ dir: first.dir });
  await engine.close();
  const left = new Database(join(first.dir, 'store.sqlite'), { readonly: true });
  expect(left.prepare('SELECT count(*) FROM quarantine').pluck().get()).toBe(1);
  left.close();
});
