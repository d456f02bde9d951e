/** Whether an entry is as it was when it was last mirrored, as far as lstat tells. */

import type { LocalEntry } from './types.ts';

/** `racy`: it was read within the file system's timestamp granularity of its last change. */
export type KnownEntry = Omit<LocalEntry, 'path'> & { readonly racy?: boolean };

/** Coarse clocks of Linux file systems tick every 4 to 10 ms. */
const TICK_MS = 20;
/** FAT and some network file systems keep whole or even seconds. */
const COARSE_TICK_MS = 2_000;

/** A folder's own time and inode say nothing about its object. */
export function isUnchanged(known: KnownEntry, entry: LocalEntry): boolean {
  if (known.racy || known.kind !== entry.kind) return false;
  if (entry.kind === 'directory') return sameAttributes(known, entry);
  return (
    known.sizeBytes === entry.sizeBytes &&
    known.mtimeMs === entry.mtimeMs &&
    known.ctimeMs === entry.ctimeMs &&
    known.inode === entry.inode
  );
}

/** What a new version would say besides the bytes. The time alone makes none: the old version has its own. */
export function sameAttributes(a: KnownEntry, b: KnownEntry): boolean {
  return a.kind === b.kind && a.mode === b.mode && a.uid === b.uid && a.gid === b.gid;
}

/** A change right after reading at `readAt` could leave the same times: such a file is hashed once more. */
export function isRacy({ kind, mtimeMs, ctimeMs }: LocalEntry, readAt: number): boolean {
  if (kind !== 'file') return false;
  const tick = mtimeMs % 1_000 === 0 && ctimeMs % 1_000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Math.max(mtimeMs, ctimeMs) > readAt - tick;
}
