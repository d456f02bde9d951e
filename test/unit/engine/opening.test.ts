import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

test('a new store is private to its owner: files have mode 0600, folders 0700', async () => {
  const dir = join(temporaryFolder(), 'new', 'store');
  const { store } = await openTestEngine({ dir });
  await store.createBucket({ bucket: 'bucket' });
  await store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody(patternBytes(100_000)) });
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(6);
  for (const entry of entries) {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
  }
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test('opening a store that is already open fails with an error that names the process that opened it', async () => {
  const { dir } = await openTestEngine();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({
    code: 'StoreInUse',
    message: expect.stringContaining(`Holdfast runs already (pid ${process.pid})`) as string,
  });
});

test('a refused second opening does not release the lock of the first opening', async () => {
  const { dir } = await openTestEngine();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'StoreInUse' });
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'StoreInUse' });
});

test('a store of a newer format is refused and left unchanged', async () => {
  const { dir, engine } = await openTestEngine();
  await engine.close();
  setPragma(dir, 'user_version = 99');
  await expect(openTestEngine({ dir })).rejects.toMatchObject({
    code: 'NewerStore',
    message: expect.stringContaining('format 99 is newer') as string,
  });
});

test('a SQLite database of another application is refused', async () => {
  const dir = temporaryFolder();
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec('CREATE TABLE something (id INTEGER)');
  database.close();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
});

test('a file that is not a database is refused and left unchanged', async () => {
  const dir = temporaryFolder();
  const text = 'not a database at all, but long enough to be read as one: '.repeat(20);
  writeFileSync(join(dir, 'store.sqlite'), text);
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
  expect(readFileSync(join(dir, 'store.sqlite'), 'utf8')).toBe(text);
});

test('a store folder with blobs but without a database is refused, and its files are not deleted', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody(patternBytes(100_000)) });
  await engine.close();
  for (const name of readdirSync(dir)) {
    if (name.startsWith('store.sqlite')) rmSync(join(dir, name));
  }
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
});

test('a failed opening releases the lock of the store', async () => {
  const { dir, engine } = await openTestEngine();
  await engine.close();
  const version = format(dir);
  setPragma(dir, 'user_version = 99');
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NewerStore' });
  setPragma(dir, `user_version = ${version}`);
  await expect(openTestEngine({ dir })).resolves.toBeDefined();
});

test('acknowledged writes are present after the store is closed and reopened', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  const bodies = [10, 100_000].map((size) => patternBytes(size));
  for (const bytes of bodies) {
    await store.putObject({ bucket: 'bucket', key: `${bytes.length}`, body: bytesBody(bytes) });
  }
  await engine.close();
  const again = await openTestEngine({ dir });
  for (const bytes of bodies) {
    const ref = { bucket: 'bucket', key: `${bytes.length}` };
    expect((await readBytes(again.store, ref)).equals(bytes)).toBe(true);
  }
});

test('a closed store contains all its metadata in one file', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await engine.close();
  expect(readdirSync(dir).sort()).toEqual([
    'blobs',
    'lock.holder',
    'lock.sqlite',
    'opening',
    'store.sqlite',
    'tmp',
  ]);
});

test('closing a store commits a write that was requested before the close', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  const put = store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody('x') });
  await new Promise((resolve) => setImmediate(resolve));
  await engine.close();
  await put;
  const again = await openTestEngine({ dir });
  expect((await readBytes(again.store, { bucket: 'bucket', key: 'k' })).toString()).toBe('x');
});

test('a write to a closed store fails with ServiceUnavailable', async () => {
  const { engine, store } = await openTestEngine();
  await engine.close();
  await expect(store.createBucket({ bucket: 'bucket' })).rejects.toMatchObject({
    code: 'ServiceUnavailable',
  });
});

test('a store can be created in a folder that already contains other files', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'other'));
  writeFileSync(join(dir, 'other', 'file'), 'mine');
  await openTestEngine({ dir });
  expect(readdirSync(join(dir, 'other'))).toEqual(['file']);
});

test('a project has at most the configured number of buckets', async () => {
  const { store } = await openTestEngine({ quotas: { bucketsPerProject: 2 } });
  await store.createBucket({ bucket: 'one' });
  await store.createBucket({ bucket: 'two' });
  await expect(store.createBucket({ bucket: 'three' })).rejects.toMatchObject({
    code: 'TooManyBuckets',
  });
  await store.createBucket({ bucket: 'two' });
});

function format(dir: string): number {
  const database = new Database(join(dir, 'store.sqlite'), { readonly: true });
  const version = Number(database.pragma('user_version', { simple: true }));
  database.close();
  return version;
}

function setPragma(dir: string, pragma: string): void {
  const database = new Database(join(dir, 'store.sqlite'));
  database.pragma(pragma);
  database.close();
}
