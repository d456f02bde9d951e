/** Tests that a store detects a database file that was replaced since the store was last open. */

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { checkClosedStore } from '../../../src/engine/maintenance/closed-store.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { blobFiles } from '../../helpers/store-files.ts';
import { openTestEngine, patternBytes, readBytes } from '../../helpers/test-engine.ts';

const LARGE = { bucket: 'bucket', key: 'large' };

/** Creates a store, and a copy of its database from before the large object was put. */
async function storeWithOldCopy() {
  const { dir, engine, store } = await openTestEngine();
  await store.createBucket({ bucket: 'bucket' });
  await engine.close();
  const old = join(dir, 'old-copy');
  copyFileSync(join(dir, 'store.sqlite'), old);
  const again = await openTestEngine({ dir });
  await again.store.putObject({ ...LARGE, body: bytesBody(patternBytes(100_000)) });
  await again.engine.close();
  return { dir, old };
}

const exchanged = { code: 'ExchangedMetadata' };

test('Holdfast refuses to open or check a store with an older copy of its database and deletes no file', async () => {
  const { dir, old } = await storeWithOldCopy();
  const files = blobFiles(dir);
  copyFileSync(old, join(dir, 'store.sqlite'));
  await expect(openTestEngine({ dir })).rejects.toMatchObject(exchanged);
  await expect(checkClosedStore(dir, { deep: false })).rejects.toMatchObject(exchanged);
  expect(blobFiles(dir)).toEqual(files);
});

test('Holdfast opens a store normally after its own database is restored', async () => {
  const { dir, old } = await storeWithOldCopy();
  const right = join(dir, 'right');
  copyFileSync(join(dir, 'store.sqlite'), right);
  copyFileSync(old, join(dir, 'store.sqlite'));
  await expect(openTestEngine({ dir })).rejects.toMatchObject(exchanged);
  copyFileSync(right, join(dir, 'store.sqlite'));
  const { store } = await openTestEngine({ dir });
  expect((await readBytes(store, LARGE)).equals(patternBytes(100_000))).toBe(true);
});

test('Holdfast opens a store with an older database if the user accepts it, and keeps the newer objects in quarantine until the newer database returns', async () => {
  const { dir, old } = await storeWithOldCopy();
  const right = join(dir, 'right');
  copyFileSync(join(dir, 'store.sqlite'), right);
  copyFileSync(old, join(dir, 'store.sqlite'));
  const { engine, store } = await openTestEngine({ dir, acceptMetadata: true });
  await expect(store.headObject(LARGE)).rejects.toMatchObject({ code: 'NoSuchKey' });
  expect(await engine.sweep()).toMatchObject({ damaged: [] });
  expect(blobFiles(dir)).toEqual([]);
  await engine.close();
  // The user restores the newer database after all, so the file of the newer object returns from
  // quarantine.
  copyFileSync(right, join(dir, 'store.sqlite'));
  const regretted = await openTestEngine({ dir, acceptMetadata: true });
  await regretted.engine.sweep();
  const bytes = await readBytes(regretted.store, LARGE);
  expect(bytes.equals(patternBytes(100_000))).toBe(true);
});

test('Holdfast deletes quarantined files after one week, measured by a trusted clock', async () => {
  const { dir, old } = await storeWithOldCopy();
  copyFileSync(old, join(dir, 'store.sqlite'));
  const { engine, clock } = await openTestEngine({ dir, acceptMetadata: true });
  await engine.sweep();
  await engine.close();
  const later = new FakeClock(clock.now() + 8 * 24 * 3600 * 1000);
  const again = await openTestEngine({ dir, clock: later });
  await again.engine.sweep();
  // The store does not trust a clock that jumped ahead by a week.
  expect(existsSync(join(dir, 'trash', '2026-11-21'))).toBe(true);
  await again.engine.upkeep.trustClock();
  await again.engine.sweep();
  expect(existsSync(join(dir, 'trash', '2026-11-21'))).toBe(false);
});

test('Holdfast refuses to open a store with the database of another store', async () => {
  const { dir } = await storeWithOldCopy();
  const other = await openTestEngine();
  await other.engine.close();
  copyFileSync(join(other.dir, 'store.sqlite'), join(dir, 'store.sqlite'));
  await expect(openTestEngine({ dir })).rejects.toMatchObject(exchanged);
});

test('Holdfast opens a store without the file "opening" and creates the file', async () => {
  const { dir } = await storeWithOldCopy();
  rmSync(join(dir, 'opening'));
  const { engine } = await openTestEngine({ dir });
  await engine.close();
  expect(existsSync(join(dir, 'opening'))).toBe(true);
});
