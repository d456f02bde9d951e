/** A folder as it is: entries and problems as values. Links are entries and are never followed. */

import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { errorCode, errorMessage } from '../base/errors.ts';
import { RESERVED_FOLDER } from './attributes.ts';
import type { Excluder } from './exclude.ts';
import type { EntryKind, LocalEntry, Problem } from './types.ts';

export interface FolderScan {
  /** Relative to the root; empty for the root itself. */
  readonly directory: string;
  /** In the byte order of the names' UTF-8. */
  readonly entries: readonly LocalEntry[];
  /** False when something may be there that was not seen: nothing below may be deleted for that. */
  readonly complete: boolean;
  readonly problems: readonly Problem[];
}

export interface ScanOptions {
  readonly signal?: AbortSignal;
  /** Awaited before any of these folders is listed: the place to set their watches. */
  readonly beforeFolders?: (directories: readonly string[]) => Promise<void> | void;
}

/** Entries looked at between two turns of the event loop: about 2 ms of work. */
const SLICE_ENTRIES = 1_000;
/** What listing a folder costs, in entries. */
const FOLDER_COST = 10;

/** One folder at once, blocking for about 2 µs an entry. */
export function scanFolder(root: string, directory: string, excluder: Excluder): FolderScan {
  const slices = listFolder(root, directory, excluder);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}

/**
 * A folder and all below it, each folder before those inside it. Gives the event loop a turn every
 * few milliseconds. Rejects with the signal's reason when aborted.
 */
export async function* scanTree(
  root: string,
  directory: string,
  excluder: Excluder,
  { signal, beforeFolders }: ScanOptions = {},
): AsyncGenerator<FolderScan> {
  const pending = [directory];
  let worked = 0;
  await beforeFolders?.(pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal?.throwIfAborted();
    const slices = listFolder(root, next, excluder);
    let slice = slices.next();
    for (; !slice.done; slice = slices.next()) await setImmediate();
    yield slice.value;
    const folders = slice.value.entries.filter(isFolder).map(({ path }) => path);
    if (folders.length > 0) await beforeFolders?.(folders);
    for (const folder of folders.reverse()) pending.push(folder);
    worked += FOLDER_COST + (slice.value.entries.length % SLICE_ENTRIES);
    if (worked < SLICE_ENTRIES) continue;
    worked = 0;
    await setImmediate();
  }
}

/** Names that differ in bytes but not to file systems that fold case or normalise (NFC, NFD). */
export function collidingNames(entries: readonly LocalEntry[]): readonly Problem[] {
  const first = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { path } of entries) {
    const folded = path.normalize('NFC').toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else
      problems.push({
        path,
        code: 'name-collision',
        message: `mirror ${path}: its name differs from ${other} only in case or Unicode form; rename one`,
      });
  }
  return problems;
}

/** Yields between slices, so that a folder of a million entries stalls nobody. */
function* listFolder(
  root: string,
  directory: string,
  excluder: Excluder,
): Generator<void, FolderScan> {
  const entries: LocalEntry[] = [];
  const problems: Problem[] = [];
  let names: readonly string[];
  try {
    refuseOtherFileSystem(root, directory);
    names = validNames(join(root, directory), directory, problems);
  } catch (error) {
    return unlisted(directory, error);
  }
  let complete = true;
  for (const [index, name] of names.sort(compareNames).entries()) {
    if (index > 0 && index % SLICE_ENTRIES === 0) yield;
    const path = directory === '' ? name : `${directory}/${name}`;
    const seen = look(root, path, excluder);
    if (seen === undefined) continue;
    if ('code' in seen) problems.push(seen);
    else entries.push(seen);
    if ('code' in seen && seen.code === 'unreadable') complete = false;
  }
  return { directory, entries, complete, problems };
}

/** One entry, a problem with it, or nothing when it is left out or gone. */
function look(root: string, path: string, excluder: Excluder): LocalEntry | Problem | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
  } catch (error) {
    return { path, code: 'unreadable', message: `look at ${path}: ${errorMessage(error)}` };
  }
  if (!stats || isLeftOut(path, stats, excluder)) return undefined;
  const kind = kindOf(stats);
  if (kind === undefined)
    return {
      path,
      code: 'unsupported-type',
      message: `mirror ${path}: sockets, pipes and devices hold no content to keep`,
    };
  if (path === RESERVED_FOLDER)
    return {
      path,
      code: 'reserved-name',
      message: `mirror ${path}: Holdfast keeps its own objects under this name; rename it`,
    };
  return toEntry(path, kind, stats);
}

function isLeftOut(path: string, stats: Stats, excluder: Excluder): boolean {
  const isDirectory = stats.isDirectory();
  return (isDirectory && excluder.protects(stats)) || excluder.excludes(path, isDirectory);
}

function kindOf(stats: Stats): EntryKind | undefined {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : undefined;
}

function toEntry(path: string, kind: EntryKind, stats: Stats): LocalEntry {
  return {
    path,
    kind,
    sizeBytes: kind === 'directory' ? 0 : stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    inode: stats.ino,
    mode: stats.mode & 0o7777,
    uid: stats.uid,
    gid: stats.gid,
  };
}

function isFolder(entry: LocalEntry): boolean {
  return entry.kind === 'directory';
}

/**
 * The names in a folder that are valid UTF-8. Only a name that was decoded to U+FFFD is worth the
 * second listing, as bytes.
 */
function validNames(folder: string, directory: string, problems: Problem[]): string[] {
  const names = readdirSync(folder);
  if (!names.some((name) => name.includes('\uFFFD'))) return names;
  const valid: string[] = [];
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const text = name.toString();
    if (isUtf8(name)) valid.push(text);
    else problems.push(invalidName(directory === '' ? text : `${directory}/${text}`));
  }
  return valid;
}

function invalidName(path: string): Problem {
  return {
    path,
    code: 'invalid-name',
    message: `mirror ${path}: its name is not valid UTF-8; rename it`,
  };
}

/** UTF-16 order is UTF-8 order, but for surrogates, which stand for code points above U+FFFF. */
function compareNames(a: string, b: string): number {
  return SURROGATE.test(a) || SURROGATE.test(b) ? compareUtf8(a, b) : a < b ? -1 : 1;
}
