/** A clock that jumps makes nothing old: what is removed for its age is old by the service's time, too. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openStateFile } from '../../src/mirror/state/state.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

const DAY_MS = 24 * 3_600_000;
const told = (aheadMs: number) => async () => ({ now: Date.now() + aheadMs, isTrusted: false });

test.each([
  ['this machine is days ahead of the service', 3, told(0), 1],
  ['the service is days ahead of this machine', 0, told(3 * DAY_MS), 1],
  ['the service tells no time', 3, async () => undefined, 1],
  ['it is days old by both', 3, told(3 * DAY_MS), 0],
])('of an upload whose id was lost, where %s', async (_what, days, serviceTime, left) => {
  const bench = await openMirrorBench();
  const { bucket } = bench;
  writeFileSync(join(bench.root, 'f'), 'content');
  await bench.store.createUpload({ bucket, key: 'f' });
  const folder = join(bench.home, 'state');
  mkdirSync(folder, { recursive: true });
  const state = openStateFile(join(folder, 'state.sqlite'));
  state.uploads.begin({ key: 'f', journalId: 'lost', begunAt: Date.now() });
  state.close();
  const clock = new ShiftedClock();
  clock.putForward(days * DAY_MS);
  const mirror = await bench.open({ clock, store: overriding(bench.store, { serviceTime }) });
  await mirror.settled();
  expect((await bench.store.listUploads({ bucket })).uploads).toHaveLength(left);
});

test('nothing that was saved goes where the service tells no time', async () => {
  const bench = await openMirrorBench({ versioned: false });
  const saved = '.holdfast/trash/20200101/etag/f';
  await bench.writeForeign(saved, 'the only copy');
  const clock = new ShiftedClock();
  clock.putForward(365 * DAY_MS);
  const serviceTime = async () => undefined;
  const mirror = await bench.open({ clock, store: overriding(bench.store, { serviceTime }) });
  await mirror.settled();
  expect(await bench.history(saved)).toEqual(['put the only copy']);
});
