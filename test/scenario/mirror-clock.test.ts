/**
 * Tests that a job removes objects because of their age only if the clock of the service confirms the age.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

const DAY_MS = 24 * 3_600_000;
const timeAhead = (aheadMs: number) => async () => ({
  now: Date.now() + aheadMs,
  isTrusted: false,
});

test.each([
  ['the local clock is days ahead of the service', 3, timeAhead(0), 1],
  ['the service is days ahead of the local clock', 0, timeAhead(3 * DAY_MS), 1],
  ['the service returns no time', 3, async () => undefined, 1],
  ['the upload is days old by both clocks', 3, timeAhead(3 * DAY_MS), 0],
])(
  "a job aborts a multipart upload whose id it lost only if it is old by the local clock and by the service's clock: %s",
  async (_what, days, serviceTime, left) => {
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
  },
);

test('a job does not delete old saved objects if the service returns no time', async () => {
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
