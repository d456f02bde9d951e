/**
 * Compares a local entry with its baseline row (its last synced state). A changed modification time alone does not
 * cause a new version.
 */

import type { LocalEntry } from './types.ts';

/** Returns whether two entries have equal stored attributes. `a` is the mirrored entry, `b` the entry as read now. */
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

/**
 * Returns whether the hard-link numbers match. If a file has lost its other hard links, the recorded number still
 * matches as long as the inode is the same.
 */
function sameLink(known: LocalEntry, { link, inode }: LocalEntry): boolean {
  if (link !== undefined) return known.link === link;
  return known.link === undefined || known.link === inode;
}

/** An entry's attributes without its path. */
export type FileState = Omit<LocalEntry, 'path'>;

/**
 * Returns whether the baseline's digest is still valid for an entry. The result is exact for entries from
 * `readFileStable`, because it waits until any later write must change a timestamp. A folder has no content, so its
 * mode and owner are compared.
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
