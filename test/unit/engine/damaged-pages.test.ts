/**
 * Tests that a store with damaged database pages still serves the readable objects and reports the
 * damage.
 */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import { isDamagedWhereStored } from '../../../src/object-store/storage-error.ts';
import { leavesOf, overwritePages } from '../../helpers/damaged-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, patternBytes } from '../../helpers/test-engine.ts';
import { until } from '../../helpers/until.ts';

const OBJECTS = 200;
const keyOf = (index: number) => `folder/object-${String(index).padStart(4, '0')}`;

/** Creates a closed store with 200 small objects and returns its folder. */
async function filledStore(): Promise<string> {
  const dir = temporaryFolder('damaged-pages');
  const { engine, store } = await openTestEngine({ dir, passive: true });
  await store.createBucket({ bucket: 'bucket' });
  for (let index = 0; index < OBJECTS; index++)
    await store.putObject({
      bucket: 'bucket',
      key: keyOf(index),
      body: bytesBody(patternBytes(1_500, index)),
    });
  await engine.close();
  return dir;
}

const metadataOf = (dir: string) => join(dir, 'store.sqlite');

test('a read that needs a damaged database page names the object and marks the store as degraded', async () => {
  const dir = await filledStore();
  overwritePages(metadataOf(dir), leavesOf(metadataOf(dir), 'blob').slice(3, 6));
  const { engine, store } = await openTestEngine({ dir, passive: true });
  expect(engine.upkeep.health().state).toBe('in order');
  const failures: unknown[] = [];
  for (let index = 0; index < OBJECTS; index++)
    await store
      .getObject({ bucket: 'bucket', key: keyOf(index) })
      .catch((error: unknown) => failures.push(error));
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.length).toBeLessThan(OBJECTS / 10);
  for (const failure of failures)
    expect(failure).toMatchObject({
      code: 'InternalError',
      message: expect.stringMatching(
        /^read object bucket\/folder\/object-\d+: a page of store.sqlite is damaged$/,
      ) as string,
    });
  expect(failures.every(isDamagedWhereStored)).toBe(true);
  const { state, reasons } = engine.upkeep.health();
  expect(state).toBe('degraded');
  expect(reasons).toEqual([expect.stringContaining('holdfast admin store repair') as string]);
});

test('the store is degraded soon after the start if a database page is damaged, even without any request', async () => {
  const dir = await filledStore();
  overwritePages(metadataOf(dir), leavesOf(metadataOf(dir), 'blob').slice(3, 4));
  const { engine, clock } = await openTestEngine({ dir });
  clock.advance(5_000);
  const state = () => engine.upkeep.health().state;
  expect(await until(state, (each) => each === 'degraded')).toBe('degraded');
});

test('the store stops all writes and names the repair command if a write needs a damaged database page', async () => {
  const dir = await filledStore();
  overwritePages(metadataOf(dir), leavesOf(metadataOf(dir), 'version'));
  const { engine, store } = await openTestEngine({ dir, passive: true });
  const put = store.putObject({ bucket: 'bucket', key: keyOf(5), body: bytesBody('new') });
  const failure = await put.catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('store repair') as string });
  expect(isDamagedWhereStored(failure)).toBe(true);
  expect(engine.upkeep.health()).toMatchObject({ state: 'read-only' });
});

test('the store reports its health even if its maintenance tables are damaged', async () => {
  const dir = await filledStore();
  const { engine } = await openTestEngine({ dir, passive: true });
  const tables = ['quarantine', 'scrub'].flatMap((name) => leavesOf(metadataOf(dir), name));
  overwritePages(metadataOf(dir), tables);
  expect(engine.upkeep.health()).toMatchObject({ state: 'degraded', damagedCount: 0 });
});
