/**
 * Tests of renames in a job with COMPLIANCE locks. A rename that would lock too many bytes again is held for review.
 */

import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { TargetTurns } from '../../src/mirror/limits/job-priority.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';
import { until } from '../helpers/until.ts';

const LOCK = { mode: 'COMPLIANCE', days: 10, refreshDays: 5 } as const;
const LIMIT = 10 * 1024 ** 3;

/** Backs up a file of ten bytes in a job whose recent renames have already copied `moved` bytes. */
async function mirrored(moved: number, mode: 'COMPLIANCE' | 'GOVERNANCE' = 'COMPLIANCE') {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  writeFileSync(join(bench.root, 'old'), 'ten bytes!');
  await (await bench.open({ lock: { ...LOCK, mode } })).close();
  const state = openStateFile(join(bench.home, 'state', 'state.sqlite'));
  state.setMeta('moved-bytes', JSON.stringify({ since: Date.now(), bytes: moved }));
  state.close();
  const turns = new TargetTurns(clock);
  const mirror = await bench.open({ lock: { ...LOCK, mode }, turns });
  await mirror.settled();
  const rename = async (from: string, to: string) => {
    renameSync(join(bench.root, from), join(bench.root, to));
    await mirror.settled();
  };
  return { bench, clock, mirror, rename, turns };
}

const HELD = {
  path: 'new',
  change: 'rename',
  why: expect.stringContaining('renamed from old'),
  bytes: 10,
};

test('a job renames objects without an approval while the new copies lock at most 10 GiB', async () => {
  const { bench, mirror, rename } = await mirrored(LIMIT - 10);
  await rename('old', 'new');
  expect(await bench.heads()).toEqual({ new: 'ten bytes!' });
  expect(mirror.heldChanges.review({ limit: 10 }).changes).toEqual([]);
});

test('a job does not hold renames for review in governance mode, because its locks can be removed', async () => {
  const { bench, rename } = await mirrored(LIMIT, 'GOVERNANCE');
  await rename('old', 'new');
  expect(await bench.heads()).toEqual({ new: 'ten bytes!' });
});

test('a job holds a rename above the limit and the delete of the old name for review, until both are approved', async () => {
  const { bench, mirror, rename } = await mirrored(LIMIT - 9);
  await rename('old', 'new');
  await mirror.settled();
  expect(await bench.heads()).toEqual({ old: 'ten bytes!' });
  expect(mirror.status().counts.held).toBe(1);
  const { changes, digest } = mirror.heldChanges.review({ limit: 10 });
  expect(changes).toEqual([HELD]);
  const approved = mirror.heldChanges.approve(digest);
  expect(approved).toEqual({ deletes: 0, overwrites: 0, renames: 1 });
  await mirror.settled();
  expect(await bench.heads()).toEqual({ new: 'ten bytes!' });
  expect(await bench.history('old')).toEqual(['put ten bytes!', 'marker']);
  expect(mirror.status().counts.held).toBe(0);
});

test('a job keeps the object of the old name if its delete was planned before the rename is held', async () => {
  const { bench, mirror, turns } = await mirrored(LIMIT);
  const endOtherJob = turns.of('high').announce();
  renameSync(join(bench.root, 'old'), join(bench.root, 'new'));
  const settled = mirror.settled();
  await until(
    () => mirror.status().counts.pending,
    (pending) => pending === 2,
  );
  endOtherJob();
  await settled;
  expect(await bench.heads()).toEqual({ old: 'ten bytes!' });
});

test('a held rename stays held if the times of its file change after the time window of the limit', async () => {
  const { bench, clock, mirror, rename } = await mirrored(LIMIT);
  await rename('old', 'new');
  clock.putForward(11 * 60_000);
  utimesSync(join(bench.root, 'new'), 1, 1);
  await mirror.settled();
  expect(await bench.heads()).toEqual({ old: 'ten bytes!' });
  expect(mirror.heldChanges.review({ limit: 10 }).changes).toEqual([HELD]);
});

test('a rejected rename keeps the object of the old name until the file changes, even after a restart', async () => {
  const { bench, mirror, rename } = await mirrored(LIMIT);
  await rename('old', 'new');
  mirror.heldChanges.reject();
  await mirror.settled();
  expect(await bench.heads()).toEqual({ old: 'ten bytes!' });
  const again = await bench.open({ lock: LOCK });
  await again.settled();
  expect(await bench.heads()).toEqual({ old: 'ten bytes!' });
  writeFileSync(join(bench.root, 'new'), 'others');
  await again.settled();
  expect(await bench.heads()).toMatchObject({ new: 'others' });
  // The next full sync round deletes the object of the old name.
  await again.settled();
  expect(await bench.heads()).toEqual({ new: 'others' });
});

test.each([
  ['is deleted', {}, (path: string) => rmSync(path)],
  [
    'has its old name again',
    { old: 'ten bytes!' },
    (path: string) => renameSync(path, join(path, '../old')),
  ],
] as const)('a rename held for review is dropped if the file %s', async (_what, heads, change) => {
  const { bench, mirror, rename } = await mirrored(LIMIT);
  await rename('old', 'new');
  change(join(bench.root, 'new'));
  await mirror.settled();
  await mirror.settled();
  expect(await bench.heads()).toEqual(heads);
  expect(mirror.heldChanges.review({ limit: 10 }).changes).toEqual([]);
  expect(mirror.status().counts.held).toBe(0);
});
