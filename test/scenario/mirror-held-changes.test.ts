/** A held change stays held until the user decides, whatever the job does meanwhile. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { ShiftedClock } from '../helpers/shifted-clock.ts';

/** Longer than the window in which deletes are counted. */
const WINDOW_OVER_MS = 11 * 60_000;

/** Of 90 files 24 were deleted, then 36: the latter are held, and alone they are fewer than the limit. */
async function heldRemainder() {
  const clock = new ShiftedClock();
  const bench = await openMirrorBench({ clock });
  const paths = Array.from({ length: 90 }, (_, index) => `d/${index}`);
  mkdirSync(join(bench.root, 'd'));
  for (const path of paths) writeFileSync(join(bench.root, path), `content of ${path}`);
  const mirror = await bench.open();
  await mirror.settled();
  for (const path of paths.slice(0, 24)) rmSync(join(bench.root, path));
  await mirror.settled();
  const held = paths.slice(24, 60);
  for (const path of held) rmSync(join(bench.root, path));
  await mirror.settled();
  expect(mirror.brake.review({ limit: 1 }).total).toBe(36);
  return { bench, clock, mirror, held, kept: paths.slice(24).sort() };
}

test('deletes at or below the limit stay held by a full round after the window is over', async () => {
  const { bench, clock, mirror, kept } = await heldRemainder();
  clock.putForward(WINDOW_OVER_MS);
  await mirror.runNow();
  expect(Object.keys(await bench.heads()).sort()).toEqual(kept);
  expect(mirror.brake.review({ limit: 1 }).total).toBe(36);
});
