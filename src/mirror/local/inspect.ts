/** Inspects individual names in a folder with lstat. */

import { lstatSync, type Stats, statSync } from 'node:fs';

import { RESERVED_FOLDER, parentOf } from '../model/local-path.ts';
import type { LocalEntry, Problem } from '../model/types.ts';
import type { Excluder } from './exclude.ts';
import { kindOf, toEntry, within } from './local-entry.ts';
import { unreadableReason } from './system-error.ts';
import { isRuleFile, type Verdict } from './tree-rules.ts';

export interface Listing {
  readonly root: string;
  readonly directory: string;
  readonly excluder: Excluder;
}

/**
 * Inspects some names in a folder that was listed before. Returns undefined if the folder must be listed again: if a
 * name has a problem or contains exclusion rules, if names differ only in case, or if the folder is not mounted.
 */
export function inspectNames(
  root: string,
  directory: string,
  { names, excluder }: { readonly names: Iterable<string>; readonly excluder: Excluder },
): ReadonlyMap<string, LocalEntry | undefined> | undefined {
  const found = new Map<string, LocalEntry | undefined>();
  const inodes = new Set<number>();
  for (const name of names) {
    const { seen, verdict } = inspect(root, within(directory, name), excluder);
    if (isRuleFile(name) || verdict === 'undecided' || (seen && 'code' in seen)) return undefined;
    // A name that is not valid UTF-8 cannot be looked up. A listing reports it.
    if (name.includes('\uFFFD')) return undefined;
    // If only the case of a filename changed, lstat finds the file under both names on a case-insensitive file system.
    if (seen && seen.link === undefined && inodes.size === inodes.add(seen.inode).size)
      return undefined;
    found.set(name, seen);
  }
  return isListable({ root, directory, excluder }) ? found : undefined;
}

function isListable(listing: Listing): boolean {
  const { root, directory } = listing;
  if (directory === '') return true;
  try {
    const stats = lstatSync(`${root}/${directory}`);
    if (stats.isDirectory()) checkMount(listing, stats.dev);
    return stats.isDirectory();
  } catch {
    return false;
  }
}

interface Inspection {
  /** The entry or its problem; undefined if the path is excluded or does not exist. */
  readonly seen?: LocalEntry | Problem;
  readonly verdict?: Verdict;
}

/** Inspects one path. */
export function inspect(root: string, path: string, excluder: Excluder): Inspection {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
  } catch (error) {
    const message = `cannot back up ${path}: ${unreadableReason(error)}`;
    return { seen: { path, code: 'unreadable', message } };
  }
  const isDirectory = stats?.isDirectory() ?? false;
  if (!stats || (isDirectory && excluder.protects(stats))) return {};
  const verdict = excluder.verdict(path, isDirectory);
  return verdict === 'excluded' ? {} : { verdict, seen: describe(path, stats) };
}

/**
 * Throws if the path is a mounted file system that must not be entered, or if a previously mounted file system is
 * missing.
 */
export function checkMount(
  { root, directory, excluder }: Listing,
  device: number | undefined,
): void {
  const { mounts } = excluder;
  if (!mounts) {
    if (device === statSync(root).dev) return;
    throw new Error(
      'another file system is mounted there, and the job skips it (set oneFileSystem: false to include it)',
    );
  }
  if (device !== statSync(`${root}/${parentOf(directory)}`).dev) mounts.note(directory);
  else if (mounts.has(directory))
    throw new Error(
      'the file system that was mounted there is missing, so nothing below it is deleted in the bucket; ' +
        'mount it again, or accept the folder as it is now: holdfast job accept-root',
    );
}

function describe(path: string, stats: Stats): LocalEntry | Problem {
  const kind = kindOf(stats);
  if (kind === undefined)
    return {
      path,
      code: 'unsupported-type',
      message: `skipped ${path}: a socket, pipe or device has no content to back up`,
    };
  if (path === RESERVED_FOLDER)
    return {
      path,
      code: 'reserved-name',
      message: `cannot back up ${path}: the name is reserved for Holdfast's own objects; rename it`,
    };
  return toEntry(path, kind, stats);
}
