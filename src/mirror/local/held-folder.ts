/** A folder below a root, held while something is done in it: no link that takes its place, or is on the way, is followed. */

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
import { parentOf } from '../model/local-path.ts';

/** Linux: open folders as paths, so that no name on the way is looked up again. Elsewhere there is only the look just before. */
export const DESCRIPTORS = '/proc/self/fd';
export const HAS_DESCRIPTORS = process.platform === 'linux' && existsSync(DESCRIPTORS);
/** O_PATH of Linux, which Node has no name for: it needs no right to list the folder. */
const O_PATH = 0o10000000;
const HOLD = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class HeldFolder {
  /** The folder itself, for calls that follow links; others take `at('.')`. */
  readonly door: string;
  readonly #absolute: string;
  readonly #descriptor: number | undefined;

  /** `root` is absolute and has no links in it. Throws a system error; ENOTDIR where a link is on the way. */
  constructor(root: string, path: string) {
    this.#absolute = join(root, path);
    this.#descriptor = HAS_DESCRIPTORS ? openSync(this.#absolute, HOLD) : undefined;
    this.door =
      this.#descriptor === undefined ? this.#absolute : `${DESCRIPTORS}/${this.#descriptor}`;
    try {
      this.check();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The path of a name in it, as long as it is held. */
  at(name: string): string {
    return `${this.door}/${name}`;
  }

  look(name: string): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
  }

  /** Throws ENOTDIR where the folder is not at its path now: what is written into it would be elsewhere. */
  check(): void {
    if (!this.#stands()) throw notFolder('its folder is another one now');
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #stands(): boolean {
    if (this.#descriptor !== undefined && readlinkSync(this.door) === this.#absolute) return true;
    // Where case does not count, the system tells the name that another has given it.
    const stats = statsOfReal(this.#absolute);
    if (this.#descriptor === undefined) return stats?.isDirectory() === true;
    const held = fstatSync(this.#descriptor, { bigint: true });
    return stats?.ino === held.ino && stats.dev === held.dev;
  }
}

/** What `use` does by the folder's paths it does now. Throws as `HeldFolder`, or as `use`. */
export function inFolder<T>(root: string, path: string, use: (folder: HeldFolder) => T): T {
  const folder = new HeldFolder(root, path);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

/**
 * A folder below the root and all on the way to it, where they are missing. Returns whether it made the last one, with
 * this mode.
 */
export function makeFolders(root: string, path: string, mode?: number): boolean {
  if (path === '') return false;
  makeFolders(root, parentOf(path));
  return inFolder(root, parentOf(path), (folder) => {
    const seen = folder.look(basename(path));
    if (!seen) mkdirSync(folder.at(basename(path)), { mode });
    else if (!seen.isDirectory()) throw notFolder(`${join(root, path)} is no folder now`);
    return !seen;
  });
}

/**
 * A folder anywhere, and all on the way to it. Returns whether it made the last one, with this mode. Node's own recursive
 * `mkdir` never ends where a folder that is there takes none, as below `/proc`. Throws a system error.
 */
export function makeFolder(path: string, mode?: number): boolean {
  if (existsSync(path)) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // A link that leads to itself or to nothing exists, and its own error says what is wrong with it.
    if (errorCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
    return false;
  }
}

/**
 * A folder below one that the user named, created where it is missing and held. Only what the user named may be a link.
 * Throws a system error: ENOTDIR where a link or a file is on the way, and then nothing is created behind it.
 */
export function holdBelow(named: string, path: string): HeldFolder {
  makeFolder(named);
  const root = realpathSync(named);
  makeFolders(root, path);
  return new HeldFolder(root, path);
}

function notFolder(message: string): Error {
  return Object.assign(new Error(message), { code: 'ENOTDIR' });
}

/** Undefined where something on the way is a link, or missing. */
function statsOfReal(absolute: string): BigIntStats | undefined {
  try {
    if (realpathSync(absolute) !== absolute) return undefined;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
  return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
}
