/** Free disk space, and how much of it opening a store needs. */

import { statfsSync } from 'node:fs';

/** Opening takes some 60 KiB here, and as much for each database and log that a daemon keeps beside the store. */
export const ROOM_FOR_OPENING = 1024 ** 2;

/** For this process: what a disk keeps back is root's. */
export function freeBytesAt(folder: string): number {
  const { bavail, bfree, bsize } = statfsSync(folder);
  return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
}
