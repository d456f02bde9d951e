/**
 * Tests of versions that were written while the clock was wrong. The store corrects their dates
 * after the clock is corrected.
 */

import { describe, expect, test } from 'vitest';

import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 21, 12);

const bucket = 'bucket';

/**
 * Creates a versioned bucket on a machine whose uptime continues when the test changes the wall
 * clock.
 */
async function jumpyStore({ uptime = true, dir = temporaryFolder('doubts') } = {}) {
  const clock = new FakeClock(START);
  const boot = () => ({ id: 'one', upMs: clock.monotonic() + DAY });
  const open = () => openTestEngine({ dir, clock, ...(uptime && { uptime: boot }) });
  const opened = await open();
  await opened.store.createBucket({ bucket });
  await opened.store.putVersioning({ bucket, versioning: 'Enabled' });
  return { ...opened, open };
}

const put = (store: ObjectStore, key: string) =>
  store.putObject({ bucket, key, body: bytesBody(key) });

/**
 * Returns the keys and dates of all versions and delete markers, in minutes since the start, newest
 * version of a key first.
 */
async function dates(store: ObjectStore): Promise<readonly (readonly [string, number])[]> {
  const { versions } = await store.listVersions({ bucket });
  return versions.map(({ key, lastModifiedAt }) => [key, (lastModifiedAt - START) / MINUTE]);
}

test('the store corrects the dates of versions written while the clock was ahead, once the clock is corrected', async () => {
  const { store, clock } = await jumpyStore();
  await put(store, 'a');
  clock.advance(10 * MINUTE);
  clock.jump(365 * DAY);
  await put(store, 'a');
  await put(store, 'b');
  clock.advance(5 * MINUTE);
  await store.deleteObject({ bucket, key: 'b' });
  const year = 365 * 24 * 60;
  expect(await dates(store)).toEqual([
    ['a', year + 10],
    ['a', 0],
    ['b', year + 15],
    ['b', year + 10],
  ]);
  clock.jump(-365 * DAY);
  clock.advance(MINUTE);
  await put(store, 'c');
  expect(await dates(store)).toEqual([
    ['a', 10],
    ['a', 0],
    ['b', 15],
    ['b', 10],
    ['c', 16],
  ]);
});

test('the store corrects the date of each version by the amount that the clock was ahead when the version was written', async () => {
  const { store, clock } = await jumpyStore();
  clock.jump(2 * HOUR);
  await put(store, 'a');
  clock.jump(30 * DAY);
  await put(store, 'b');
  clock.jump(-31 * DAY);
  clock.advance(3 * MINUTE);
  await put(store, 'c');
  clock.jump(DAY - 2 * HOUR);
  clock.advance(10 * MINUTE);
  await put(store, 'd');
  expect(await dates(store)).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 3],
    ['d', 13],
  ]);
});

describe('versions that keep their dates after the clock was ahead', () => {
  test('the store keeps the dates of versions if the user confirmed that the clock was correct', async () => {
    const { store, clock, engine } = await jumpyStore();
    clock.jump(8 * HOUR);
    await put(store, 'a');
    await engine.upkeep.trustClock();
    clock.jump(-8 * HOUR);
    await put(store, 'b');
    expect(await dates(store)).toEqual([
      ['a', 480],
      ['b', 480],
    ]);
  });

  test('the store keeps the dates of versions if the machine may have been off before the clock was corrected', async () => {
    const { store, clock } = await jumpyStore({ uptime: false });
    clock.jump(8 * HOUR);
    await put(store, 'a');
    clock.jump(-8 * HOUR);
    clock.advance(MINUTE);
    await put(store, 'b');
    expect(await dates(store)).toEqual([
      ['a', 480],
      ['b', 1],
    ]);
  });
});

test('the store corrects the dates of versions when the store is reopened after a clock correction, without a new write', async () => {
  const { store, clock, engine, open } = await jumpyStore();
  clock.jump(8 * HOUR);
  await put(store, 'a');
  await engine.close();
  clock.jump(-8 * HOUR);
  clock.advance(HOUR);
  await (await open()).engine.close();
  const { store: again } = await open();
  expect(await dates(again)).toEqual([['a', 0]]);
});

test('the store dates later versions correctly after a write was refused', async () => {
  const { store, clock } = await jumpyStore();
  clock.jump(8 * HOUR);
  const late = { ifMatch: '"other"' };
  const refused = store.putObject({ bucket, key: 'a', body: bytesBody('a'), conditions: late });
  await expect(refused).rejects.toMatchObject({ code: 'NoSuchKey' });
  clock.jump(-8 * HOUR);
  clock.advance(MINUTE);
  await put(store, 'b');
  expect(await dates(store)).toEqual([['b', 1]]);
});

test('the store detects a corrected clock and corrects the dates of versions even if no client writes', async () => {
  const { store, clock } = await jumpyStore();
  clock.jump(8 * HOUR);
  await put(store, 'a');
  clock.jump(-8 * HOUR);
  const later = () => {
    clock.advance(MINUTE);
    return dates(store);
  };
  await expect.poll(later).toEqual([['a', 0]]);
});
