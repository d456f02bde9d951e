/**
 * Sets a file aside before another file gets its name, without losing data. The file is renamed, checked again, and
 * removed only if it is still in the saved state. After an interruption at any point, `endSettingAside` completes or
 * reverts the step.
 */

import { linkSync, lstatSync, renameSync, rmSync, unlinkSync } from 'node:fs';

import { errorCode } from '../../base/errors.ts';
import { freeSiblingName, stampOf } from './sibling-name.ts';
import { unchanged } from '../model/compare.ts';
import { FileChangedError } from '../model/failure-kind.ts';
import { statsAt } from './path-exists.ts';
import { kindOf, toExactEntry } from './local-entry.ts';
import type { LocalEntry } from '../model/types.ts';

/**
 * Error codes of link(2) that mean that a hard link is impossible: on FAT, exFAT and some network file systems, and
 * for a file with the maximum number of links.
 */
export const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** A file to set aside. Paths are relative to the root. */
export interface SettingAside {
  readonly root: string;
  readonly path: string;
  /** Temporary path of the set-aside file, in the same folder. */
  readonly temporary: string;
  /** The file in the state that was saved; absent if no file may exist. */
  readonly entry?: LocalEntry;
  /** Time for the name of a file that is kept, in milliseconds since 1970. */
  readonly now: number;
  /** Called after another file has taken the name, and before the set-aside file is removed. */
  readonly onReplaced?: () => void;
}

/**
 * Renames the file to its temporary path, so that its own name is free. Throws FileChangedError if the file is
 * not in the saved state.
 */
export function setAsideFile(aside: SettingAside): void {
  const { root, path, temporary, entry } = aside;
  const found = entryAt(root, path);
  if (!found && !entry) return;
  if (!found || !entry || !unchanged(entry, found)) throw new FileChangedError(`${root}/${path}`);
  renameSync(`${root}/${path}`, `${root}/${temporary}`);
  const setAside = entryAt(root, temporary);
  if (setAside && isSaved(entry, setAside)) return;
  endSettingAside(aside);
  throw new FileChangedError(`${root}/${path}`);
}

/**
 * Renames a file, but throws EEXIST instead of replacing an existing file. Without hard links, it checks before
 * the rename, which is not atomic.
 */
export function renameIfFree(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!NO_HARD_LINK_CODES.has(errorCode(error) ?? '')) throw error;
    if (lstatSync(path, { throwIfNoEntry: false })) throw exists(path);
    return renameSync(temporary, path);
  }
  unlinkSync(temporary);
}

/**
 * Ends setting a file aside. If its name is free, the file gets the name back; otherwise the set-aside file is
 * removed. If another program has changed it meanwhile, it is kept under a new name, which is returned.
 */
export function endSettingAside(aside: SettingAside): string | undefined {
  const { root, path, temporary, entry, now, onReplaced } = aside;
  const setAside = entryAt(root, temporary);
  if (!setAside) return undefined;
  if (!entryAt(root, path)) {
    renameIfFree(`${root}/${temporary}`, `${root}/${path}`);
    return undefined;
  }
  onReplaced?.();
  if (entry && isSaved(entry, setAside)) {
    rmSync(`${root}/${temporary}`);
    return undefined;
  }
  const kept = freeSiblingName(root, path, `changed meanwhile ${stampOf(now)}`);
  renameIfFree(`${root}/${temporary}`, `${root}/${kept}`);
  return kept;
}

function exists(path: string): Error {
  return Object.assign(new Error(`cannot rename a file to ${path}: the name already exists`), {
    code: 'EEXIST',
  });
}

function entryAt(root: string, path: string): LocalEntry | undefined {
  const stats = statsAt(`${root}/${path}`);
  return stats && toExactEntry(path, kindOf(stats) ?? 'directory', stats);
}

/** Returns whether the file is in the saved state. A rename changes only the ctime. */
function isSaved(saved: LocalEntry, found: LocalEntry): boolean {
  return unchanged({ ...saved, ctimeMs: found.ctimeMs }, found);
}
