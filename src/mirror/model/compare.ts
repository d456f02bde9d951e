/** What a new version would say besides the bytes. The time alone makes none: the old version has its own. */

import type { LocalEntry } from './types.ts';

/** `a` as it was mirrored, `b` as it was read since. */
export function sameAttributes(a: LocalEntry, b: LocalEntry): boolean {
  return (
    a.kind === b.kind &&
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.gid === b.gid &&
    a.xattrs === b.xattrs &&
    sameLink(a, b)
  );
}

/** A file whose other names are gone may go on saying that it had some, as long as its inode is the same. */
function sameLink(known: LocalEntry, { link, inode }: LocalEntry): boolean {
  if (link !== undefined) return known.link === link;
  return known.link === undefined || known.link === inode;
}

/** Of one path, whichever it is. */
export type FileState = Omit<LocalEntry, 'path'>;

/**
 * Whether the baseline's digest still stands for the entry. Exact for what `readFileStable` read, since
 * it waits until the timestamps can tell. A folder has no content but its attributes.
 */
export function unchanged(baseline: FileState, entry: FileState): boolean {
  if (baseline.kind !== entry.kind) return false;
  if (entry.kind === 'directory')
    return baseline.mode === entry.mode && baseline.uid === entry.uid && baseline.gid === entry.gid;
  return (
    baseline.sizeBytes === entry.sizeBytes &&
    baseline.mtimeMs === entry.mtimeMs &&
    baseline.ctimeMs === entry.ctimeMs &&
    baseline.inode === entry.inode
  );
}
