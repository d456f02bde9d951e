/** Compares some names in a folder with the baseline without listing the folder. Event rounds use this shortcut. */

import { inspectNames } from '../local/inspect.ts';
import { folderNeedsObject, within } from '../local/local-entry.ts';
import { isTouched, recheckFolder } from '../local/tree/folder-difference.ts';
import { folderKey } from '../model/local-path.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';
import { recheckLater } from './recheck-later.ts';
import { cancelReturned } from './release-held.ts';
import { rereadUnsure } from './reread-recent.ts';
import type { Gathered, RoundContext } from './round-context.ts';
import { planTouched } from './plan-changes.ts';
import { forgetGone, scanBelow, planVanishedFolder } from './plan-folder.ts';

/** Maximum number of names in a folder. For more names, one listing of the folder is cheaper. */
const MAX_NAMES = 256;
/** Maximum number of mirrored names that are checked to find out whether a folder has become empty. */
const MAX_OTHERS = 8;

interface HintedNames {
  readonly names: ReadonlySet<string>;
  /** Folders that are new, exist again, or replaced another folder. */
  readonly replaced: ReadonlySet<string>;
}

/** Plans the changes at these names. If the folder must be listed instead, returns false and plans nothing. */
export async function planNames(
  directory: string,
  { names, replaced }: HintedNames,
  context: RoundContext,
  gathered: Gathered,
): Promise<boolean> {
  const { root, excluder, tracker, state } = context;
  if (names.size > MAX_NAMES || tracker.hasScanProblem(directory, names)) return false;
  const found = inspectNames(root, directory, { names, excluder });
  if (!found || becomesEmptyOrFilled(directory, found, context)) return false;
  const folder = folderKey(directory);
  if (isOtherSpelling(folder, found, context)) return false;
  const entries = [...found.values()].filter((entry) => entry !== undefined);
  const touched = new Map<string, LocalEntry>();
  const rows = new Map<string, BaselineEntry | undefined>();
  const folders: string[] = [];
  for (const [name, entry] of found) {
    const path = within(directory, name);
    const key = folder + name;
    const row = state.baseline.get(key);
    // A key that is being uploaded may get another baseline row before it is planned.
    if (!tracker.underWay(key)) rows.set(key, row);
    if (entry?.kind === 'directory') {
      if (row) gathered.missing.push(key);
      if (replaced.has(path) || !state.baseline.hasFolder(folderKey(path))) folders.push(path);
      continue;
    }
    planVanishedFolder(path, { mayExist: false }, context, gathered);
    if (entry && isTouched(row, entry)) touched.set(key, entry);
    else if (!entry && row) gathered.missing.push(key);
    else if (!entry && tracker.underWay(key)) recheckLater(key, context, gathered);
  }
  cancelReturned(entries, undefined, touched, context);
  forgetGone({ directory, entries, names }, context);
  context.linkHints.hintOthers(touched.values());
  await planTouched({ touched, known: rows }, context, gathered);
  rereadUnsure(entries, touched, context, gathered);
  for (const path of folders) await scanBelow(path, context, gathered);
  return true;
}

/**
 * Returns whether the folder may have become empty and now needs its own object, or may have been empty and no longer
 * needs one.
 */
function becomesEmptyOrFilled(
  directory: string,
  found: ReadonlyMap<string, LocalEntry | undefined>,
  { root, state, excluder }: RoundContext,
): boolean {
  if (directory === '') return false;
  const own = recheckFolder(root, directory);
  if (!own) return true;
  const folder = folderKey(directory);
  const hasObject = state.baseline.get(folder) !== undefined;
  if (hasObject !== folderNeedsObject(own, 1)) return true;
  if (hasObject || isAnyThere(found)) return false;
  const [rows = []] = state.baseline.folder(folder, MAX_OTHERS + found.size);
  const names = rows.map(({ name }) => name).filter((name) => !found.has(name));
  const others = inspectNames(root, directory, { names, excluder });
  return !others || !isAnyThere(others);
}

/**
 * Returns whether a name without a row may be another spelling of a mirrored name. A case-insensitive file system finds
 * a file by any spelling, and some report events with the spelling that the program used.
 */
function isOtherSpelling(
  folder: string,
  found: ReadonlyMap<string, LocalEntry | undefined>,
  { state }: RoundContext,
): boolean {
  const inodes = [...found.values()].flatMap((entry) => (entry ? [entry.inode] : []));
  const rows = state.baseline.withInodes(inodes);
  for (const [name, entry] of found)
    for (const { path } of (entry && rows.get(entry.inode)) ?? [])
      if (path !== folder + name && spelling(path) === spelling(folder + name)) return true;
  return false;
}

function spelling(path: string): string {
  return path.normalize().toLowerCase();
}

function isAnyThere(found: ReadonlyMap<string, LocalEntry | undefined>): boolean {
  return [...found.values()].some((entry) => entry !== undefined);
}
