/** Scans folders. Entries and problems are return values. Symbolic links are entries and are never followed. */

import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { errorCode } from '../../base/errors.ts';
import { compareUtf8 } from '../../object-store/rules/listing.ts';
import type { Excluder } from './exclude.ts';
import { checkMount, inspect, type Listing } from './inspect.ts';
import { within } from './local-entry.ts';
import { IGNORE_FILE, MAX_STEPS } from './tree-rules.ts';
import { unreadableReason } from './system-error.ts';
import type { LocalEntry, Problem } from '../model/types.ts';

export interface FolderScan {
  /** Path of the scanned folder, relative to the root; empty for the root itself. */
  readonly directory: string;
  /** Entries in byte order of their names in UTF-8. */
  readonly entries: readonly LocalEntry[];
  /**
   * False if the folder may contain unseen entries. In this case, a key below it must not be deleted merely because
   * `entries` does not contain it.
   */
  readonly complete: boolean;
  readonly problems: readonly Problem[];
  /** Whether the folder's exclusion rules changed. If so, known folders below it must be scanned again too. */
  readonly rulesChanged: boolean;
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /**
   * Awaited before any of these folders is listed, for example to set watches. `within` is the listing that contains
   * the folders.
   */
  readonly beforeFolders?: (
    directories: readonly string[],
    within: FolderScan | undefined,
  ) => Promise<void> | void;
  /** Returns a listing to use instead of listing the folder again; undefined if there is none. */
  readonly known?: (directory: string) => FolderScan | undefined;
  /** Called with each new listing before it is yielded. */
  readonly onListed?: (scan: FolderScan) => void;
}

/**
 * Number of entries that are processed before the event loop runs again. They take about 2 ms, including the work in a
 * sync round.
 */
const SLICE_ENTRIES = 250;
/** Number of pattern matching steps before the event loop runs again. They take about 1 ms. */
const SLICE_STEPS = 100_000;
/** Cost of listing one folder, as the equivalent number of entries. */
const FOLDER_COST = 10;

const SURROGATE = /[\uD800-\uDFFF]/;

/** Scans one folder. Yields to the event loop every few milliseconds. */
export async function scanFolder(
  root: string,
  directory: string,
  excluder: Excluder,
): Promise<FolderScan> {
  const slices = listFolder(root, directory, excluder);
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) await setImmediate();
  return slice.value;
}

/**
 * Scans a folder and everything below it. Each folder is scanned before its subfolders. Yields to the event loop every
 * few milliseconds. Rejects with the signal's reason when aborted.
 */
export async function* scanTree(
  root: string,
  directory: string,
  excluder: Excluder,
  { signal, beforeFolders, known, onListed }: ScanOptions = {},
): AsyncGenerator<FolderScan> {
  const pending = [directory];
  let worked = 0;
  await beforeFolders?.(pending, undefined);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal?.throwIfAborted();
    let scan = known?.(next);
    if (!scan) {
      // The loop waits only between slices, so that another job that scans the same folders can reuse this listing.
      const slices = listFolder(root, next, excluder);
      let slice = slices.next();
      for (; !slice.done; slice = slices.next()) await setImmediate();
      scan = slice.value;
      onListed?.(scan);
    }
    yield scan;
    const folders = scan.entries.filter(isFolder).map(({ path }) => path);
    if (folders.length > 0) await beforeFolders?.(folders, scan);
    for (const folder of folders.reverse()) pending.push(folder);
    worked += FOLDER_COST + (scan.entries.length % SLICE_ENTRIES);
    if (worked < SLICE_ENTRIES) continue;
    worked = 0;
    await setImmediate();
  }
}

/** Lists a folder in slices, so that a folder with a million entries does not block the event loop. */
function* listFolder(
  root: string,
  directory: string,
  excluder: Excluder,
): Generator<void, FolderScan> {
  const problems: Problem[] = [];
  const names = listNames({ root, directory, excluder }, problems);
  const rules = names && excluder.enter(directory, names);
  if (rules?.problem) problems.push(rules.problem);
  let complete = names !== undefined;
  const entries: LocalEntry[] = [];
  let nextTurn = excluder.steps() + SLICE_STEPS;
  for (const [index, name] of (names ?? []).entries()) {
    if ((index > 0 && index % SLICE_ENTRIES === 0) || excluder.steps() > nextTurn) {
      yield;
      nextTurn = excluder.steps() + SLICE_STEPS;
    }
    const path = within(directory, name);
    const { seen, verdict } = inspect(root, path, excluder);
    if (seen === undefined) continue;
    if (verdict === 'undecided') problems.push(undecided(path));
    if ('code' in seen) problems.push(seen);
    else entries.push(seen);
    if ('code' in seen && seen.code === 'unreadable') complete = false;
  }
  return { directory, entries, complete, problems, rulesChanged: rules?.changed ?? false };
}

/**
 * Returns the names in a folder; an empty list if the folder does not exist. Returns undefined and adds a problem if
 * the folder cannot be listed.
 */
function listNames(listing: Listing, problems: Problem[]): string[] | undefined {
  const { root, directory } = listing;
  const folder = directory === '' ? root : `${root}/${directory}`;
  try {
    const stats = directory === '' ? statSync(root) : lstatSync(folder, { throwIfNoEntry: false });
    if (directory !== '' && !stats?.isDirectory()) return [];
    if (directory !== '') checkMount(listing, stats?.dev);
    return inByteOrder(validNames(folder, directory, problems));
  } catch (error) {
    if (directory !== '' && errorCode(error) === 'ENOENT') return [];
    problems.push({
      path: directory,
      code: 'unlistable',
      message:
        directory === '' && errorCode(error) === 'ENOENT'
          ? `the folder ${root} does not exist`
          : `cannot list folder ${folder}: ${unreadableReason(error)}`,
    });
    return undefined;
  }
}

function undecided(path: string): Problem {
  const message =
    `cannot match ${path} against the patterns of a ${IGNORE_FILE} within ${MAX_STEPS} steps, ` +
    'so it is mirrored; use fewer wildcards in these patterns';
  return { path, code: 'pattern-limit', message };
}

function isFolder(entry: LocalEntry): boolean {
  return entry.kind === 'directory';
}

/**
 * Returns those names in a folder that are valid UTF-8. Lists the folder a second time, as bytes, only if a decoded
 * name contains U+FFFD.
 */
function validNames(folder: string, directory: string, problems: Problem[]): string[] {
  const names = readdirSync(folder);
  if (!names.some((name) => name.includes('\uFFFD'))) return names;
  const valid: string[] = [];
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const text = name.toString();
    if (isUtf8(name)) valid.push(text);
    else problems.push(invalidName(within(directory, text)));
  }
  return valid;
}

function invalidName(path: string): Problem {
  return {
    path,
    code: 'invalid-name',
    message: `cannot back up ${path}: its name is not valid UTF-8; rename it`,
  };
}

/**
 * Sorts names by their UTF-8 bytes. The default order (UTF-16) differs only for surrogates, which represent code points
 * above U+FFFF.
 */
function inByteOrder(names: string[]): string[] {
  return names.some((name) => SURROGATE.test(name)) ? names.sort(compareUtf8) : names.sort();
}
