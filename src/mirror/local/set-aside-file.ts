/**
 * A file gives way to another one that comes under its name, and nothing is lost: it is moved out of the way, looked
 * at again, and removed only when it is still what was saved. Cut off anywhere, the same end puts it right.
 */

import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';

import { errorCode } from '../../base/errors.ts';
import { besideName, stampOf } from './beside-name.ts';
import { unchanged } from '../model/compare.ts';
import { FileChangedError } from '../model/failure-kind.ts';
import { statsAt } from './is-there.ts';
import { kindOf, toExactEntry } from './local-entry.ts';
import type { LocalEntry } from '../model/types.ts';

/** Of a link: FAT, exFAT, what some servers offer, and a file that has as many names as can be. */
export const WITHOUT_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Paths are below the root. */
export interface SettingAside {
  readonly root: string;
  readonly path: string;
  /** The name that the file has meanwhile, in the same folder. */
  readonly temporary: string;
  /** The file as it was saved; absent where none may be there. */
  readonly entry?: LocalEntry;
  /** Milliseconds since 1970, for a name. */
  readonly now: number;
  /** Told, before it is removed, that another file has its name. */
  readonly onReplaced?: () => void;
}

/** Nothing has the name when it returns. Throws FileChangedError where something else is there than was saved. */
export function setAsideFile(way: SettingAside): void {
  const { root, path, temporary, entry } = way;
  const found = look(root, path);
  if (!found && !entry) return;
  if (!found || !entry || !unchanged(entry, found)) throw new FileChangedError(`${root}/${path}`);
  renameSync(`${root}/${path}`, `${root}/${temporary}`);
  const moved = look(root, temporary);
  if (moved && isSaved(entry, moved)) return;
  endSettingAside(way);
  throw new FileChangedError(`${root}/${path}`);
}

/**
 * Gives a file its name where nothing has it: throws EEXIST rather than to replace what came there meanwhile. Where the
 * file system knows no links, a rename has to do.
 */
export function giveName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error) ?? '')) throw error;
    if (lstatSync(path, { throwIfNoEntry: false })) throw exists(path);
    return renameSync(temporary, path);
  }
  rmSync(temporary);
}

/**
 * What was moved away comes back where its name is free, and is removed where the new file has it; what somebody
 * wrote into it meanwhile is kept under a name of its own, which is returned.
 */
export function endSettingAside(way: SettingAside): string | undefined {
  const { root, path, temporary, entry, now, onReplaced } = way;
  const moved = look(root, temporary);
  if (!moved) return undefined;
  if (!look(root, path)) {
    giveName(`${root}/${temporary}`, `${root}/${path}`);
    return undefined;
  }
  onReplaced?.();
  if (entry && isSaved(entry, moved)) {
    rmSync(`${root}/${temporary}`);
    return undefined;
  }
  const kept = besideName(root, path, `changed meanwhile ${stampOf(now)}`);
  giveName(`${root}/${temporary}`, `${root}/${kept}`);
  return kept;
}

function exists(path: string): Error {
  return Object.assign(new Error(`name ${path}: it exists already`), { code: 'EEXIST' });
}

function look(root: string, path: string): LocalEntry | undefined {
  const stats = statsAt(`${root}/${path}`);
  return stats && toExactEntry(path, kindOf(stats) ?? 'directory', stats);
}

/** Moving a file changes its ctime, and nothing else. */
function isSaved(saved: LocalEntry, found: LocalEntry): boolean {
  return unchanged({ ...saved, ctimeMs: found.ctimeMs }, found);
}
