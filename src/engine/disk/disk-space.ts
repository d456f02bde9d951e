/** Reads the free disk space, and states how much of it opening a store needs. */

import { statfsSync } from 'node:fs';

/**
 * The free bytes that opening a store requires. The store itself needs about 60 KiB, and each other database or log of the
 * daemon needs as much.
 */
export const ROOM_FOR_OPENING = 1024 ** 2;

/** Returns the free bytes that this process can use. Only root can use the blocks that the file system reserves. */
export function freeBytesAt(folder: string): number {
  const { bavail, bfree, bsize } = statfsSync(folder);
  return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
}
