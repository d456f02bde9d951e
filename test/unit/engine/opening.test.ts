import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

test('Holdfast creates the files of a new store with mode 0600 and its folders with mode 0700', async () => {
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

test('Holdfast refuses to open a store that is already open and names the process that has it open', async () => {
  const { dir } = await openTestEngine();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({
    code: 'StoreInUse',
    message: expect.stringContaining(`Holdfast runs already (pid ${process.pid})`) as string,
  });
});

test('Holdfast keeps the lock of an open store after a second opening was refused', async () => {
  const { dir } = await openTestEngine();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'StoreInUse' });
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'StoreInUse' });
});

test('Holdfast refuses to open a store of a newer format and does not change it', async () => {
  const { dir, engine } = await openTestEngine();
  await engine.close();
  setPragma(dir, 'user_version = 99');
  await expect(openTestEngine({ dir })).rejects.toMatchObject({
    code: 'NewerStore',
    message: expect.stringContaining('format 99 is newer') as string,
  });
});

test('Holdfast refuses to open an SQLite database of another application', async () => {
  const dir = temporaryFolder();
  const database = new Database(join(dir, 'store.sqlite'));
  database.exec('CREATE TABLE something (id INTEGER)');
  database.close();
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
});

test('Holdfast refuses to open a file that is not a database and does not change it', async () => {
  const dir = temporaryFolder();
  const text = 'not a database at all, but long enough to be read as one: '.repeat(20);
  writeFileSync(join(dir, 'store.sqlite'), text);
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
  expect(readFileSync(join(dir, 'store.sqlite'), 'utf8')).toBe(text);
});

test('Holdfast refuses to open a store folder that has blobs but no database and deletes none of its files', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody(patternBytes(100_000)) });
  await engine.close();
  for (const name of readdirSync(dir)) {
    if (name.startsWith('store.sqlite')) rmSync(join(dir, name));
  }
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NotAStore' });
});

test('Holdfast releases the lock of the store if opening it fails', async () => {
  const { dir, engine } = await openTestEngine();
  await engine.close();
  const version = format(dir);
  setPragma(dir, 'user_version = 99');
  await expect(openTestEngine({ dir })).rejects.toMatchObject({ code: 'NewerStore' });
  setPragma(dir, `user_version = ${version}`);
  await expect(openTestEngine({ dir })).resolves.toBeDefined();
});

test('Holdfast keeps all acknowledged writes after the store is closed and reopened', async () => {
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

test('Holdfast keeps all metadata of a closed store in one file', async () => {
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

test('Holdfast commits a write that was requested before the store closes', async () => {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  const put = store.putObject({ bucket: 'bucket', key: 'k', body: bytesBody('x') });
  await new Promise((resolve) => setImmediate(resolve));
  await engine.close();
  await put;
  const again = await openTestEngine({ dir });
  expect((await readBytes(again.store, { bucket: 'bucket', key: 'k' })).toString()).toBe('x');
});

test('Holdfast fails a write to a closed store with ServiceUnavailable', async () => {
  const { engine, store } = await openTestEngine();
  await engine.close();
  await expect(store.createBucket({ bucket: 'bucket' })).rejects.toMatchObject({
    code: 'ServiceUnavailable',
  });
});

test('Holdfast creates a store in a folder that already contains other files', async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'other'));
  writeFileSync(join(dir, 'other', 'file'), 'mine');
  await openTestEngine({ dir });
  expect(readdirSync(join(dir, 'other'))).toEqual(['file']);
});

test('Holdfast limits the buckets of a project to the configured number', async () => {
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
