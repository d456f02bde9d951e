/** What lstat tells, as an entry: the same for the scan's numbers and the reader's exact ones. */

import type { BigIntStats, Stats } from 'node:fs';

import { defined } from '../../base/defined.ts';
import type { EntryKind, LocalEntry } from '../model/types.ts';

const PERMISSION_BITS = 0o7777;
const NS_PER_S = 1_000_000_000n;

/** The path of a name in a folder; the root is ''. */
export function within(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** Undefined for sockets, pipes and devices. */
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

/** Folders have several names by nature. */
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

/** Of a row of the baseline, what lstat told: nothing of the version, which a new one would take for its own. */
export function asLocal(row: LocalEntry): LocalEntry {
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

/** Whether two looks, by lstat or fstat, saw one file in one state. */
export function sameState(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}

/** Rounded exactly as Node rounds `Stats.mtimeMs`, so that entries of both kinds compare equal. */
function toMs(ns: bigint): number {
  const rest = ((ns % NS_PER_S) + NS_PER_S) % NS_PER_S;
  return Number((ns - rest) / NS_PER_S) * 1e3 + Number(rest) / 1e6;
}

/** The permission bits of a folder that needs no object to be restored as it was. */
export const PLAIN_FOLDER_MODE = 0o755;

/** A folder is stored only if the keys below it do not already tell that it is there and how. */
export function folderNeedsObject(entry: LocalEntry, childCount: number): boolean {
  return childCount === 0 || entry.mode !== PLAIN_FOLDER_MODE;
}
