/**
 * Manages the trash (`trash/2026-11-21/NAME`), where garbage collection and repair keep orphaned files for some days.
 * Without the trash, restoring an older copy of the database would make the first garbage collection delete the bytes
 * of newer objects.
 */

import { dirname, join } from 'node:path';

import { DAY_MS } from '../../base/durations.ts';
import { errorCode } from '../../base/errors.ts';
import type { FileOperations } from '../disk/faults.ts';
import { FOLDER_MODE, type Layout } from '../disk/layout.ts';

/**
 * The number of days that files stay in the trash. In this time, users can notice that they restored a wrong database.
 */
const KEPT_DAYS = 7;

/** Matches the names of files in the trash. Other files do not belong to the store and are not deleted. */
const OUR_DAY = /^\d{4}-\d\d-\d\d$/;
const OUR_NAME = /^([0-9a-f]{32}|blob-\d+(\.next)?)$/;

interface TrashOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  /**
   * Returns the trusted time in milliseconds. If the wall clock were used, a wrong date could empty the trash early.
   */
  readonly now: () => number;
}

export class Trash {
  readonly #options: TrashOptions;

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  /** Moves a file of the store to the trash. */
  async put(path: string, name: string): Promise<void> {
    const { files } = this.#options;
    const folder = this.todaysFolder;
    await files.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await files.rename(path, join(folder, name));
  }

  get todaysFolder(): string {
    return join(this.#options.layout.trash, dayOf(this.#options.now()));
  }

  /** Moves a missing file from the trash back to `path`. Returns false if the file is not in the trash. */
  async takeBack(name: string, path: string): Promise<boolean> {
    const { layout, files } = this.#options;
    for (const day of await this.#days()) {
      try {
        await files.mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
        await files.rename(join(layout.trash, day, name), path);
        return true;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    return false;
  }

  /** Deletes files whose time in the trash has expired. Returns the number of deleted files. */
  async empty(): Promise<number> {
    const { layout, files, now } = this.#options;
    const oldest = dayOf(now() - KEPT_DAYS * DAY_MS);
    let removed = 0;
    for (const day of await this.#days()) {
      if (day >= oldest) continue;
      const folder = join(layout.trash, day);
      const names = await this.#list(folder);
      const ours = names.filter((name) => OUR_NAME.test(name));
      for (const name of ours) await files.unlink(join(folder, name));
      if (ours.length === names.length) await files.rmdir(folder);
      removed += ours.length;
    }
    return removed;
  }

  async #days(): Promise<readonly string[]> {
    const names = await this.#list(this.#options.layout.trash);
    return names.filter((name) => OUR_DAY.test(name));
  }

  async #list(folder: string): Promise<readonly string[]> {
    try {
      return await this.#options.files.readdir(folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

/** Returns a UTC date such as `2026-11-21`, which sorts by time. */
function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
