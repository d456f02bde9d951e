/** What stands where something else is restored, moved to a folder of its own: nothing local is ever overwritten or removed. */

import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { errorCode } from '../base/errors.ts';
import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { SyncFile } from '../base/share-syncs.ts';

/** As its owner only may look into: what was private stays so. */
const FOLDER_MODE = 0o700;

/** Of the folder's name where it has to lie within the target. */
export const ASIDE_PREFIX = '.holdfast-before-restore-';

export class SetAsideFolder {
  readonly #to: string;
  readonly #stamp: string;
  readonly #made = new Set<string>();
  #folder: string | undefined;
  #count = 0;

  /** `to` is absolute; `now` in milliseconds since 1970. */
  constructor(to: string, now: number) {
    this.#to = to;
    this.#stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  }

  /** Where things were moved to; undefined while nothing was. */
  get folder(): string | undefined {
    return this.#count === 0 ? undefined : this.#folder;
  }

  /** Files, links, and folders with all that is in them. */
  get count(): number {
    return this.#count;
  }

  /** What `folder`, that of the path, has under its name. Throws a system error, and then nothing was moved. */
  move(path: string, folder: HeldFolder): void {
    const target = join(this.#makeFolder(parentOf(path)), basename(path));
    renameSync(folder.at(basename(path)), target);
    this.#count++;
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
    // One by one, since each is to be synced.
    this.#makeFolder(parentOf(below));
    if (!existsSync(folder)) mkdirSync(folder, { mode: FOLDER_MODE });
    this.#made.add(folder);
    return folder;
  }

  /** Beside the target, where that is one file system and may be written to; else in it. */
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

/** Never one of an earlier restore, in which names may be taken. */
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
