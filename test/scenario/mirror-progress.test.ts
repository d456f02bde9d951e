/**
 * Tests of the progress that a job reports while it works: scanned files, files in flight and byte
 * counts.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import type { VerifyAmounts } from '../../src/verification/verify.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';

const MIB = 1024 * 1024;

/** Calls `look` in each turn of the event loop until `work` has ended. */
async function meanwhile(work: Promise<unknown>, look: () => void): Promise<void> {
  const over = new AbortController();
  const end = work.finally(() => over.abort());
  while (!over.signal.aborted) {
    look();
    await setImmediate();
  }
  await end;
}

test('the status reports how many files a scan has found so far, and how much of a large file has been read', async () => {
  const bench = await openMirrorBench();
  mkdirSync(join(bench.root, 'letters'));
  for (let index = 0; index < 30; index += 1)
    writeFileSync(join(bench.root, 'letters', `${index}`), `letter ${index}`);
  writeFileSync(join(bench.root, 'film'), Buffer.alloc(40 * MIB, 1));
  const mirror = await bench.open();
  const scanned: number[] = [];
  const read: number[] = [];
  await meanwhile(mirror.settled(), () => {
    const [found, largest] = [mirror.work.scannedFiles(), mirror.work.largestRead()];
    if (found !== undefined) scanned.push(found);
    if (largest) expect(largest).toMatchObject({ path: 'film', sizeBytes: 40 * MIB });
    if (largest) read.push(largest.bytes);
  });
  // The scan of the second folder ends in the same turn of the event loop as the whole scan.
  expect(scanned).toContain(1);
  expect(read.some((bytes) => bytes > 0 && bytes < 40 * MIB)).toBe(true);
  expect([mirror.work.scannedFiles(), mirror.work.largestRead()]).toEqual([undefined, undefined]);
});

test('the status shows how many files a scan is expected to find, except during the first scan', async () => {
  const bench = await openMirrorBench();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(bench.root, name), name);
  const expectedOf = async () => {
    const mirror = await bench.open();
    const seen = new Set<number | undefined>();
    await meanwhile(mirror.settled(), () => {
      if (mirror.work.scannedFiles() !== undefined) seen.add(mirror.work.expectedFiles());
    });
    await mirror.close();
    return [...seen];
  };
  expect(await expectedOf()).toEqual([undefined]);
  expect(await expectedOf()).toEqual([3]);
});

test('a verification reports its progress in bytes while it reads a large file and its object', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'film'), Buffer.alloc(40 * MIB, 1));
  const mirror = await bench.open();
  await mirror.settled();
  await mirror.close();
  // With a clock whose timers are due at once, a timer runs between any two turns of the event loop.
  const hurried = {
    ...systemClock,
    after: (_: number, run: () => void) => systemClock.after(0, run),
  };
  const verifying = await bench.open({ clock: hurried });
  const seen: VerifyAmounts[] = [];
  for await (const row of verifying.verification.verify({ readBackBytes: 1e9 }))
    if (row.is === 'progress') seen.push(row.amounts);
  expect(seen[0]).toMatchObject({ totalFiles: 1, totalBytes: 80 * MIB });
  const between = (from: number, to: number) =>
    seen.some(({ bytes, current }) => bytes > from && bytes < to && current?.path === 'film');
  expect([between(0, 40 * MIB), between(40 * MIB, 80 * MIB)]).toEqual([true, true]);
});
