/**
 * Puts the temporary folders of the tests on the memory disk of Linux. The program syncs each write,
 * and a sync of a memory disk costs nothing.
 *
 * The tests prove the same on either kind of disk, because a killed process loses no written data on either.
 * test/fault/power-cut.test.ts uses a model of the disk that loses unsynced data. Tests of a full disk mount a small disk
 * of their own.
 */

import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY_DISK = '/dev/shm';
/**
 * Free space in bytes that the memory disk must have. The tests use less than half of it at the same
 * time. A container often has a memory disk of only 64 MiB.
 */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Sets TMPDIR, which child processes inherit, to a new folder on the memory disk. Does nothing if
 * TMPDIR is set, or if the machine lacks a memory disk with enough space.
 */
export function useMemoryDisk(): void {
  if (process.env['TMPDIR'] !== undefined || !hasEnough()) return;
  const folder = mkdtempSync(join(MEMORY_DISK, 'holdfast-'));
  process.env['TMPDIR'] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

function hasEnough(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
