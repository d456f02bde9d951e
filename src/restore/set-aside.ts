/**
 * Moves local entries that are in the way of a restore to a separate folder, so that a restore never overwrites or
 * deletes local data.
 */

import {
  type BigIntStats,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCode } from '../base/errors.ts';
import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { SyncFile } from '../base/share-syncs.ts';

/** Mode of the set-aside folders. Only their owner has access, so that private files stay private. */
const FOLDER_MODE = 0o700;

/** Name prefix for a set-aside folder inside the target folder. */
export const ASIDE_PREFIX = '.holdfast-before-restore-';

/** Moves local entries out of the way of a restore, so that no local data is lost. */
export interface WayMaker {
  /** Absolute path of the folder with the moved entries; undefined if no entry was moved. */
  readonly folder: string | undefined;
  /** Number of entries that were moved or removed. */
  readonly count: number;
  /** Number of files whose content was stored as a version, because no version had it. */
  readonly saved: number;
  /**
   * Must be called before `move` or `remove`, with the entry's state. Rejects with MirrorError `NotSaved` if the entry
   * must stay.
   */
  prepare(path: string, seen: BigIntStats): Promise<void>;
  /**
   * Moves the entry at `path` out of the way. Another entry takes its name immediately afterwards. `folder` contains
   * the entry. If the function throws, nothing was moved.
   */
  move(path: string, folder: HeldFolder): void;
  /** Like `move`, but no other entry takes the name. */
  remove(path: string, folder: HeldFolder): void;
  sync(sync: SyncFile): Promise<void>;
}

export class SetAsideFolder implements WayMaker {
  readonly saved = 0;
  readonly #to: string;
  readonly #stamp: string;
  readonly #made = new Set<string>();
  #folder: string | undefined;
  #count = 0;

  /** `to` is the target folder as an absolute path; `now` is in milliseconds since 1970. */
  constructor(to: string, now: number) {
    this.#to = to;
    this.#stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  }

  async prepare(): Promise<void> {}

  /** Returns the folder with the moved entries; undefined if no entry was moved. */
  get folder(): string | undefined {
    return this.#count === 0 ? undefined : this.#folder;
  }

  /** Returns the number of moved files, links and folders. A folder counts as one entry, whatever it contains. */
  get count(): number {
    return this.#count;
  }

  move(path: string, folder: HeldFolder): void {
    const target = join(this.#makeFolder(parentOf(path)), basename(path));
    renameSync(folder.at(basename(path)), target);
    this.#count++;
  }

  remove(path: string, folder: HeldFolder): void {
    this.move(path, folder);
  }

  async sync(sync: SyncFile): Promise<void> {
    if (this.#folder === undefined) return;
    for (const folder of [...this.#made, this.#folder, dirname(this.#folder)]) {
      const descriptor = openSync(folder, 'r');
      try {
        await sync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }
  }

  #makeFolder(below: string): string {
    this.#folder ??= this.#begin();
    if (below === '') return this.#folder;
    const folder = join(this.#folder, below);
    if (this.#made.has(folder)) return folder;
    // Parent folders are created one by one, because each new folder must be synced.
    this.#makeFolder(parentOf(below));
    if (!existsSync(folder)) mkdirSync(folder, { mode: FOLDER_MODE });
    this.#made.add(folder);
    return folder;
  }

  /**
   * Creates the set-aside folder. It is next to the target folder if that place is writable and on the same file
   * system, and otherwise inside the target folder.
   */
  #begin(): string {
    const parent = dirname(this.#to);
    const isOneFileSystem = parent !== this.#to && statSync(parent).dev === statSync(this.#to).dev;
    if (isOneFileSystem) {
      try {
        return freshFolder(`${this.#to}.before-restore-${this.#stamp}`);
      } catch (error) {
        if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
      }
    }
    return freshFolder(join(this.#to, ASIDE_PREFIX + this.#stamp));
  }
}

/**
 * Creates a folder with a new name. Never reuses an earlier restore's folder, because it may contain the same names.
 */
function freshFolder(wanted: string): string {
  for (let number = 1; ; number++) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      mkdirSync(folder, { mode: FOLDER_MODE });
      return folder;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
