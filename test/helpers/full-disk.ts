/** Creates a small tmpfs disk that a test can fill completely. Only root may mount it. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { errorCode } from '../../src/base/errors.ts';
import { RESERVE_BYTES } from '../../src/engine/writes/reserve.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

export const DISK_BYTES = 40 * 2 ** 20;

/** Mounts a disk of 40 MiB inside a temporary folder. The disk is unmounted after the test. */
export function smallDisk() {
  const folder = temporaryFolder('hf-full');
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  onTestFinished(mountSmallDisk(disk));
  return { folder, disk, ballast: join(disk, 'ballast') };
}

/** Mounts a tmpfs on the empty folder `disk`. Returns a function that unmounts it. */
export function mountSmallDisk(disk: string): () => void {
  // Without root, the test fails instead of being skipped, because a store can lose data on a full
  // disk.
  if (process.getuid?.() !== 0) throw new Error('make a small disk: only root may mount a tmpfs');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', disk]);
  return () => void execFileSync('umount', ['--lazy', disk]);
}

/**
 * Fills the disk by writing to the file `ballast` until at most `freeBytes` bytes are free. Repeats
 * this while the store frees or uses space.
 */
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

/**
 * Waits until the store in `dir` has created its reserve file (the space that deletes use on a full
 * disk).
 */
export async function untilReserve(dir: string): Promise<void> {
  await until(
    () => hasReserve(dir),
    (isThere) => isThere,
  );
}
