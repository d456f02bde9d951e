/**
 * Sets a file aside before another file takes its name, without losing data. The file is renamed, checked again, and
 * removed only if its content is still the saved content. After an interruption at any point, `endSettingAside`
 * completes or reverts this process.
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
 * Error codes of link(2) for files that cannot have a hard link: on FAT, exFAT and some network file systems, or if the
 * file has the maximum number of links.
 */
export const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** A file that is set aside. All paths are relative to the root. */
export interface SettingAside {
  readonly root: string;
  readonly path: string;
  /** Temporary path of the set-aside file, in the file's own folder. */
  readonly temporary: string;
  /** The file's state when its content was saved; absent if no file may exist. */
  readonly entry?: LocalEntry;
  /** Time in milliseconds since 1970, for the name of a set-aside file that cannot be removed. */
  readonly now: number;
  /** Called after another file has taken the name and before the set-aside file is removed. */
  readonly onReplaced?: () => void;
}

/**
 * Renames the file to its temporary path, so that its own name is free. Throws FileChangedError if the file has changed
 * since its content was saved.
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
 * Renames a file, but throws EEXIST instead of replacing an existing file. On a file system without hard links, checks
 * before the rename, so the operation is not atomic.
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
 * Finishes setting a file aside. If the file's name is still free, the file gets its name back. Otherwise the set-aside
 * file is removed. If another program has changed it in the meantime, it is kept under a new name, and that name is
 * returned.
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

/** Returns whether the file is unchanged since its content was saved. A rename changes only the ctime. */
function isSaved(saved: LocalEntry, found: LocalEntry): boolean {
  return unchanged({ ...saved, ctimeMs: found.ctimeMs }, found);
}
