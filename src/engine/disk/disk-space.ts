/** Reads the free disk space, and defines how much of it must be free to open a store. */

import { statfsSync } from 'node:fs';

/**
 * The number of free bytes that opening a store requires. The store's database needs about 60 KiB, and so does each
 * other database or log of the daemon.
 */
export const ROOM_FOR_OPENING = 1024 ** 2;

/**
 * Returns the free bytes that this process can use. Only root can use the blocks that the file system reserves for
 * root.
 */
export function freeBytesAt(folder: string): number {
  const { bavail, bfree, bsize } = statfsSync(folder);
  return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
}
