/**
 * Implements `restore --exact`: sets aside those local files in the target folder that are not in the restored tree.
 */

import { type Dirent, readdirSync, rmdirSync, lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { errorCode } from '../base/errors.ts';
import { RESERVED_FOLDER, parentOf } from '../mirror/model/local-path.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import { inFolder } from '../mirror/local/held-folder.ts';
import { within } from '../mirror/local/local-entry.ts';
import type { RestoreTable } from './restore-table.ts';
import { ASIDE_PREFIX, type WayMaker } from './set-aside.ts';

export interface ExtraPathsOptions {
  /** The target folder as an absolute path. */
  readonly to: string;
  readonly table: RestoreTable;
  /** Matches the job's excluded files; undefined if all files in the folder may be set aside. */
  readonly excluder: Excluder | undefined;
  /** Path of the target folder relative to the excluder's root; empty for the whole job. */
  readonly base: string;
}

/**
 * Yields local paths that are not in the restored tree. Each folder comes after the files in it. Ignores sockets, pipes
 * and devices. Excluded files were never mirrored, so they and the folders that contain them stay.
 */
export async function* extraPaths(parts: ExtraPathsOptions): AsyncGenerator<ExtraPath> {
  yield* extraPathsIn('', parts);
}

export interface ExtraPath {
  readonly path: string;
  readonly isFolder: boolean;
}

async function* extraPathsIn(folder: string, parts: ExtraPathsOptions): AsyncGenerator<ExtraPath> {
  await setImmediate();
  const { table, excluder, base } = parts;
  const entries = entriesOf(folder, parts);
  const names = entries.map(({ name }) => name);
  excluder?.enter(base === '' || folder === '' ? base + folder : `${base}/${folder}`, names);
  for (const entry of entries) {
    const path = within(folder, entry.name);
    if (isKept(entry, path, parts)) continue;
    if (entry.isDirectory()) {
      yield* extraPathsIn(path, parts);
      if (!table.hasFolder(path)) yield { path, isFolder: true };
    } else if ((entry.isFile() || entry.isSymbolicLink()) && !table.has(path)) {
      yield { path, isFolder: false };
    }
  }
}

/**
 * Lists a folder. Returns an empty list if the folder was removed, or replaced with a link, after its name was read.
 */
function entriesOf(folder: string, { to }: ExtraPathsOptions): readonly Dirent[] {
  try {
    return inFolder(to, folder, ({ openPath }) => readdirSync(openPath, { withFileTypes: true }));
  } catch (error) {
    if (['ENOTDIR', 'ENOENT'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

const STATS = { bigint: true, throwIfNoEntry: false } as const;

/** Sets a file aside, or removes an empty folder. Throws system errors. */
export async function removeExtra(
  { path, isFolder }: ExtraPath,
  to: string,
  aside: WayMaker,
): Promise<void> {
  const seen = isFolder ? undefined : lstatSync(`${to}/${path}`, STATS);
  if (seen) await aside.prepare(path, seen);
  inFolder(to, parentOf(path), (folder) => {
    if (!isFolder) return seen && aside.remove(path, folder);
    try {
      rmdirSync(folder.at(basename(path)));
    } catch (error) {
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    }
  });
}

function isKept(entry: Dirent, path: string, parts: ExtraPathsOptions): boolean {
  const { to, excluder, base } = parts;
  if (path === RESERVED_FOLDER || entry.name.startsWith(ASIDE_PREFIX)) return true;
  if (excluder?.excludes(within(base, path), entry.isDirectory())) return true;
  if (!entry.isDirectory()) return false;
  // Mounted file systems stay, because they are not mirrored or belong to another job, and files cannot be renamed out
  // of them.
  const stats = lstatSync(`${to}/${path}`, { throwIfNoEntry: false });
  if (!stats) return true;
  return excluder?.protects(stats) === true || stats.dev !== lstatSync(to).dev;
}
