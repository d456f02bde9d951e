/** Creates a small tmpfs disk that tests can fill to the last block. Only root may mount it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { errorCode } from '../../src/base/errors.ts';
import { RESERVE_BYTES } from '../../src/engine/writes/reserve.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

export const DISK_BYTES = 40 * 2 ** 20;

/** Mounts a 40 MiB disk inside a temporary folder, and unmounts it after the test. */
export function smallDisk() {
  const folder = temporaryFolder('hf-full');
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  onTestFinished(mountSmallDisk(disk));
  return { folder, disk, ballast: join(disk, 'ballast') };
}

/** Mounts a tmpfs on the empty folder `disk`. Returns a function that unmounts it. */
export function mountSmallDisk(disk: string): () => void {
  // Fail instead of skipping: stores lose data on full disks, so these tests must run.
  if (process.getuid?.() !== 0) throw new Error('make a small disk: only root may mount a tmpfs');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', disk]);
  return () => void execFileSync('umount', ['--lazy', disk]);
}

/** Writes to `ballast` until at most `freeBytes` bytes are free, even if the store changes its own usage meanwhile. */
export function fillDisk(disk: string, ballast: string, freeBytes: number): void {
  for (;;) {
    const bytes = freeBytesOf(disk) - freeBytes;
    if (bytes <= 0) return;
    try {
      writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error;
    }
  }
}

export function freeBytesOf(disk: string): number {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}

export function hasReserve(dir: string): boolean {
  return statSync(join(dir, 'reserve'), { throwIfNoEntry: false })?.size === RESERVE_BYTES;
}

/** Waits until the store in `dir` has created its reserve file. */
export async function untilReserve(dir: string): Promise<void> {
  await until(
    () => hasReserve(dir),
    (isThere) => isThere,
  );
}
