/** `--exact`: what stands in the folder and is no part of the restored tree is set aside. */

import { type Dirent, readdirSync, rmdirSync, lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { errorCode } from '../base/errors.ts';
import { RESERVED_FOLDER, parentOf } from '../mirror/model/local-path.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import { inFolder } from '../mirror/local/held-folder.ts';
import { within } from '../mirror/local/local-entry.ts';
import type { RestoreTable } from './restore-table.ts';
import { ASIDE_PREFIX, type SetAsideFolder } from './set-aside.ts';

export interface LaterParts {
  /** Absolute. */
  readonly to: string;
  readonly table: RestoreTable;
  /** Undefined: everything that is in the folder is meant. */
  readonly excluder: Excluder | undefined;
  /** Of the excluder's paths: what the restored folder is within its job; empty for the whole. */
  readonly base: string;
}

/**
 * The paths that are not of the tree, each folder after what is in it; sockets, pipes and devices are nobody's.
 * What the job leaves out was never mirrored: it stays, and the folders that it is in.
 */
export async function* laterPaths(parts: LaterParts): AsyncGenerator<LaterChanges> {
  yield* laterIn('', parts);
}

export interface LaterChanges {
  readonly path: string;
  readonly isFolder: boolean;
}

async function* laterIn(folder: string, parts: LaterParts): AsyncGenerator<LaterChanges> {
  await setImmediate();
  const { table, excluder, base } = parts;
  const entries = entriesOf(folder, parts);
  const names = entries.map(({ name }) => name);
  excluder?.enter(base === '' || folder === '' ? base + folder : `${base}/${folder}`, names);
  for (const entry of entries) {
    const path = within(folder, entry.name);
    if (isSpared(entry, path, parts)) continue;
    if (entry.isDirectory()) {
      yield* laterIn(path, parts);
      if (!table.hasFolder(path)) yield { path, isFolder: true };
    } else if ((entry.isFile() || entry.isSymbolicLink()) && !table.has(path)) {
      yield { path, isFolder: false };
    }
  }
}

/** What became a link since its name was read, or went away, is listed no further. */
function entriesOf(folder: string, { to }: LaterParts): readonly Dirent[] {
  try {
    return inFolder(to, folder, ({ openPath }) => readdirSync(openPath, { withFileTypes: true }));
  } catch (error) {
    if (['ENOTDIR', 'ENOENT'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

/** A file is moved; a folder goes when it is empty. Throws a system error. */
export function removeLater(
  { path, isFolder }: LaterChanges,
  to: string,
  aside: SetAsideFolder,
): void {
  inFolder(to, parentOf(path), (folder) => {
    if (!isFolder) return aside.move(path, folder);
    try {
      rmdirSync(folder.at(basename(path)));
    } catch (error) {
      if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
    }
  });
}

function isSpared(entry: Dirent, path: string, parts: LaterParts): boolean {
  const { to, excluder, base } = parts;
  if (path === RESERVED_FOLDER || entry.name.startsWith(ASIDE_PREFIX)) return true;
  if (excluder?.excludes(within(base, path), entry.isDirectory())) return true;
  if (!entry.isDirectory()) return false;
  // What is mounted there is not mirrored, or is on its own; and nothing can be moved from one to the other.
  const stats = lstatSync(`${to}/${path}`, { throwIfNoEntry: false });
  if (!stats) return true;
  return excluder?.protects(stats) === true || stats.dev !== lstatSync(to).dev;
}
