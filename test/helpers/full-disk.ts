/** A small disk that can be filled to its last block: a tmpfs, which only root may mount. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { errorCode } from '../../src/base/errors.ts';
import { RESERVE_BYTES } from '../../src/engine/reserve.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

export const DISK_BYTES = 40 * 2 ** 20;

/** In a folder that is beside it on a large one. */
export function smallDisk() {
  const folder = temporaryFolder('hf-full');
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  onTestFinished(mountSmallDisk(disk));
  return { folder, disk, ballast: join(disk, 'ballast') };
}

/** At an empty folder; the returned call unmounts it. */
export function mountSmallDisk(disk: string): () => void {
  // By name, and never passed over in silence: a full disk is where stores lose data.
  if (process.getuid?.() !== 0) throw new Error('make a small disk: only root may mount a tmpfs');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', disk]);
  return () => void execFileSync('umount', ['--lazy', disk]);
}

/** Leaves so many bytes free, whatever the store there takes or gives back meanwhile. */
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

/** Resolves once the reserve of the store in `dir` is made. */
export async function untilReserve(dir: string): Promise<void> {
  await until(
    () => hasReserve(dir),
    (isThere) => isThere,
  );
}
