/**
 * Converts lstat results to entries. Stats with numbers (from scans) and stats with bigints (from exact reads) give
 * equal entries.
 */

import type { BigIntStats, Stats } from 'node:fs';

import { defined } from '../../base/defined.ts';
import type { EntryKind, LocalEntry } from '../model/types.ts';

const PERMISSION_BITS = 0o7777;
const NS_PER_S = 1_000_000_000n;

/** Returns the path for a name in a folder, relative to the root. The root's own path is ''. */
export function within(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** Returns the kind of a file; undefined for sockets, pipes and devices. */
export function kindOf(stats: Stats | BigIntStats): EntryKind | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : undefined;
}

export function toEntry(path: string, kind: EntryKind, stats: Stats): LocalEntry {
  return {
    path,
    kind,
    sizeBytes: kind === 'directory' ? 0 : stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    inode: stats.ino,
    mode: stats.mode & PERMISSION_BITS,
    uid: stats.uid,
    gid: stats.gid,
    ...linkOf(kind, stats),
  };
}

/**
 * Returns the inode number of a file with several hard links. Folders are ignored, because they always have several
 * links.
 */
function linkOf(kind: EntryKind, { nlink, ino }: Stats | BigIntStats): Pick<LocalEntry, 'link'> {
  return kind === 'file' && nlink > 1 ? { link: Number(ino) } : {};
}

export function toExactEntry(path: string, kind: EntryKind, stats: BigIntStats): LocalEntry {
  return {
    path,
    kind,
    sizeBytes: kind === 'directory' ? 0 : Number(stats.size),
    mtimeMs: toMs(stats.mtimeNs),
    ctimeMs: toMs(stats.ctimeNs),
    inode: Number(stats.ino),
    mode: Number(stats.mode) & PERMISSION_BITS,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    ...linkOf(kind, stats),
  };
}

/**
 * Returns only the fields of a baseline row that come from lstat. The fields of the stored version are dropped, because
 * they must not be copied to a new version.
 */
export function toLocalEntry(row: LocalEntry): LocalEntry {
  const { path, kind, sizeBytes, mtimeMs, ctimeMs, inode, mode, uid, gid, link, xattrs } = row;
  return defined({
    path,
    kind,
    sizeBytes,
    mtimeMs,
    ctimeMs,
    inode,
    mode,
    uid,
    gid,
    link,
    xattrs,
  });
}

/** Returns whether two lstat or fstat results show the same file in the same state. */
export function sameState(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

/**
 * Converts nanoseconds to milliseconds. Rounds exactly as Node does for `Stats.mtimeMs`, so that entries from both
 * kinds of stats are equal.
 */
export function toMs(ns: bigint): number {
  const rest = ((ns % NS_PER_S) + NS_PER_S) % NS_PER_S;
  return Number((ns - rest) / NS_PER_S) * 1e3 + Number(rest) / 1e6;
}

/** Default permission bits of a folder. A folder with these bits can be restored without its own object. */
export const PLAIN_FOLDER_MODE = 0o755;

/**
 * Returns whether the folder needs its own object. It needs none if its mode is the default and keys below it show that
 * it exists.
 */
export function folderNeedsObject(entry: LocalEntry, childCount: number): boolean {
  return childCount === 0 || entry.mode !== PLAIN_FOLDER_MODE;
}
