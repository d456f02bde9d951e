/** Compares a scanned folder with its baseline rows, and returns the keys that need a plan. */

import { lstatSync } from 'node:fs';

import { folderNeedsObject, kindOf, toEntry } from '../local-entry.ts';
import { unchanged } from '../../model/compare.ts';
import { folderKey } from '../../model/local-path.ts';
import type { FolderScan } from '../scan.ts';
import { type FolderRow, LOCK_UNSEEN, type LocalEntry } from '../../model/types.ts';

export interface FolderDifference {
  /**
   * Entries by key that are new or changed, or whose lock is not confirmed. Subfolders are not included, because their
   * own scan covers them.
   */
  readonly touched: ReadonlyMap<string, LocalEntry>;
  /** Keys in the baseline that the scan did not find. */
  readonly missing: readonly string[];
}

/** Number of entries to compare per turn of the event loop, about 1 ms of work. */
const SLICE_ENTRIES = 1_000;

/**
 * Compares a folder with its baseline rows `pages`. Yields between slices. `own` is the folder's own entry; undefined
 * for the root, which has no object, and for a folder that no longer exists.
 */
export function* compareFolder(
  pages: Iterable<readonly FolderRow[]>,
  scan: FolderScan,
  own: LocalEntry | undefined,
): Generator<void, FolderDifference> {
  const folder = folderKey(scan.directory);
  const known = new Map<string, FolderRow>();
  const touched = new Map<string, LocalEntry>();
  for (const rows of pages) {
    if (known.size > 0) yield;
    for (const row of rows) known.set(row.name, row);
  }
  const compare = (name: string, entry: LocalEntry) => {
    const row = known.get(name);
    known.delete(name);
    const isSettled = row && row.retainUntil !== LOCK_UNSEEN;
    if (!isSettled || !unchanged(row, entry)) touched.set(folder + name, entry);
  };
  for (const [index, entry] of scan.entries.entries()) {
    if (index % SLICE_ENTRIES === SLICE_ENTRIES - 1) yield;
    if (entry.kind !== 'directory') compare(entry.path.slice(folder.length), entry);
  }
  if (own && scan.complete && folderNeedsObject(own, scan.entries.length)) compare('', own);
  // If the folder could not be listed, its number of entries is unknown, so its object stays unchanged.
  if (own && !scan.complete) known.delete('');
  return { touched, missing: [...known.keys()].map((name) => folder + name) };
}

/** Returns the folder's own entry; undefined if the path is the root or not a folder. */
export function recheckFolder(root: string, directory: string): LocalEntry | undefined {
  if (directory === '') return undefined;
  const stats = lstatSync(`${root}/${directory}`, { throwIfNoEntry: false });
  if (!stats || kindOf(stats) !== 'directory') return undefined;
  return toEntry(directory, 'directory', stats);
}
