/**
 * Keeps a folder below a root open while it is used. If a symbolic link replaces the folder or one of its parents, the
 * link is not followed.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCode } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { parentOf } from '../model/local-path.ts';

/**
 * Directory in which Linux provides a path for each open file descriptor. With such a path, the folder's parents are
 * not resolved again. On other systems, the folder is only checked just before each use.
 */
export const DESCRIPTORS = '/proc/self/fd';

export const hasDescriptors = once(() => process.platform === 'linux' && existsSync(DESCRIPTORS));

/** Linux O_PATH, for which Node has no constant. It opens a folder without permission to list it. */
const O_PATH = 0o10000000;
const OPEN_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class HeldFolder {
  /** Path of the folder for calls that follow symbolic links. All other calls use `at('.')`. */
  readonly openPath: string;
  readonly #absolute: string;
  readonly #descriptor: number | undefined;

  /**
   * `root` is absolute and contains no symbolic links. Throws a system error, such as ENOTDIR if `path` contains a
   * symbolic link.
   */
  constructor(root: string, path: string) {
    this.#absolute = join(root, path);
    this.#descriptor = hasDescriptors() ? openSync(this.#absolute, OPEN_FLAGS) : undefined;
    this.openPath =
      this.#descriptor === undefined ? this.#absolute : `${DESCRIPTORS}/${this.#descriptor}`;
    try {
      this.check();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Returns the path for a name in the folder. The path is valid until `close()`. */
  at(name: string): string {
    return `${this.openPath}/${name}`;
  }

  lstat(name: string): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
  }

  /** Throws ENOTDIR if the folder is no longer at its path, because a file written into it would end up elsewhere. */
  check(): void {
    if (!this.#isAtPath()) throw notFolder('its folder was moved or replaced');
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #isAtPath(): boolean {
    if (this.#descriptor !== undefined && readlinkSync(this.openPath) === this.#absolute)
      return true;
    // On a case-insensitive file system, the system may return the name in a different case.
    const stats = statsOfReal(this.#absolute);
    if (this.#descriptor === undefined) return stats?.isDirectory() === true;
    const held = fstatSync(this.#descriptor, { bigint: true });
    return stats?.ino === held.ino && stats.dev === held.dev;
  }
}

/**
 * Opens the folder, calls `use` and closes the folder. `use` must be synchronous. Throws the errors of `HeldFolder` and
 * `use`.
 */
export function inFolder<T>(root: string, path: string, use: (folder: HeldFolder) => T): T {
  const folder = new HeldFolder(root, path);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

/**
 * Creates a folder below the root, including missing parents. Returns whether the folder was missing. Only a created
 * folder gets this mode.
 */
export function makeFolders(root: string, path: string, mode?: number): boolean {
  if (path === '') return false;
  makeFolders(root, parentOf(path));
  return inFolder(root, parentOf(path), (folder) => {
    const seen = folder.lstat(basename(path));
    if (!seen) mkdirSync(folder.at(basename(path)), { mode });
    else if (!seen.isDirectory()) throw notFolder(`${join(root, path)} is not a folder any more`);
    return !seen;
  });
}

/**
 * Creates a folder at any path, including missing parents. Returns whether the folder was missing. Only a created
 * folder gets this mode. Does not use Node's recursive `mkdir`, because it never returns if an existing folder cannot
 * contain folders, such as below `/proc`. Throws a system error.
 */
export function makeFolder(path: string, mode?: number): boolean {
  if (existsSync(path)) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // For a dangling or circular symbolic link, `statSync` throws an error that describes the problem.
    if (errorCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
    return false;
  }
}

/**
 * Creates a missing folder below a folder that the user named, and keeps it open. Only the named folder may be a
 * symbolic link. Throws a system error, such as ENOTDIR if the rest of the path contains a link or a file. Nothing is
 * created below such a link or file.
 */
export function openFolderBelow(named: string, path: string): HeldFolder {
  makeFolder(named);
  const root = realpathSync(named);
  makeFolders(root, path);
  return new HeldFolder(root, path);
}

function notFolder(message: string): Error {
  return Object.assign(new Error(message), { code: 'ENOTDIR' });
}

/** Returns the lstat result; undefined if a component of the path does not exist or is a symbolic link. */
function statsOfReal(absolute: string): BigIntStats | undefined {
  try {
    if (realpathSync(absolute) !== absolute) return undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
  return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
}
