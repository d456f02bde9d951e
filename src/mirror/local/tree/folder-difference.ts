/** Compares a scanned folder with its baseline rows, and returns the keys that must be planned. */

import { lstatSync } from 'node:fs';

import { folderNeedsObject, kindOf, toEntry } from '../local-entry.ts';
import { type FileState, unchanged } from '../../model/compare.ts';
import { folderKey } from '../../model/local-path.ts';
import type { FolderScan } from '../scan.ts';
import { type FolderRow, LOCK_UNSEEN, type LocalEntry } from '../../model/types.ts';

export interface FolderDifference {
  /**
   * New or changed entries by key, and entries whose lock is not confirmed. Does not include subfolders, because each
   * has its own scan.
   */
  readonly touched: ReadonlyMap<string, LocalEntry>;
  /** The keys in `touched` that are not in the baseline. */
  readonly created: ReadonlySet<string>;
  /** Keys in the baseline that the scan did not find. */
  readonly missing: readonly string[];
}

/** Number of entries that are compared before the event loop runs again. They take about 1 ms. */
const SLICE_ENTRIES = 1_000;

/**
 * Compares a folder with its baseline rows (`pages`). Yields between slices. `own` is the folder's own entry. It is
 * undefined for the root, which has no object, and for a folder that no longer exists.
 */
export function* compareFolder(
  pages: Iterable<readonly FolderRow[]>,
  scan: FolderScan,
  own: LocalEntry | undefined,
): Generator<void, FolderDifference> {
  const folder = folderKey(scan.directory);
  const known = new Map<string, FolderRow>();
  const touched = new Map<string, LocalEntry>();
  const created = new Set<string>();
  for (const rows of pages) {
    if (known.size > 0) yield;
    for (const row of rows) known.set(row.name, row);
  }
  const compare = (name: string, entry: LocalEntry) => {
    const row = known.get(name);
    known.delete(name);
    if (isTouched(row, entry)) touched.set(folder + name, entry);
    if (!row) created.add(folder + name);
  };
  for (const [index, entry] of scan.entries.entries()) {
    if (index % SLICE_ENTRIES === SLICE_ENTRIES - 1) yield;
    if (entry.kind !== 'directory') compare(entry.path.slice(folder.length), entry);
  }
  if (own && scan.complete && folderNeedsObject(own, scan.entries.length)) compare('', own);
  // If the folder could not be listed, the number of its entries is unknown, so its object stays unchanged.
  if (own && !scan.complete) known.delete('');
  return { touched, created, missing: [...known.keys()].map((name) => folder + name) };
}

/** A baseline row, read either for a whole folder or for one key. */
type KnownState = FileState & { readonly retainUntil?: number | null | undefined };

/** Returns whether an entry is new or changed, or its version's lock is not confirmed. */
export function isTouched(row: KnownState | undefined, entry: LocalEntry): boolean {
  return !row || row.retainUntil === LOCK_UNSEEN || !unchanged(row, entry);
}

/** Reads a folder's own entry with lstat. Returns undefined if the path is the root or is not a folder. */
export function recheckFolder(root: string, directory: string): LocalEntry | undefined {
  if (directory === '') return undefined;
  const stats = lstatSync(`${root}/${directory}`, { throwIfNoEntry: false });
  if (!stats || kindOf(stats) !== 'directory') return undefined;
  return toEntry(directory, 'directory', stats);
}
