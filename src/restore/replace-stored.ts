/**
 * Replaces local entries in a restore in place. A file's content is stored as a version before the file is replaced, so
 * that no local data is lost. A file that cannot be stored stays.
 */

import { type BigIntStats, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

import { errorCode } from '../base/errors.ts';
import { type HeldFolder, inFolder } from '../mirror/local/held-folder.ts';
import { sameState, toExactEntry, within, kindOf } from '../mirror/local/local-entry.ts';
import {
  endSettingAside,
  type SettingAside,
  setAsideFile,
} from '../mirror/local/set-aside-file.ts';
import { temporaryName } from '../mirror/local/temporary-name.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import type { SaveLocal } from '../mirror/transfer/save-version.ts';
import type { WayMaker } from './set-aside.ts';

export interface ReplaceStoredOptions {
  /** The target folder as an absolute path without symbolic links. */
  readonly to: string;
  /** Path of the target folder, relative to the job's folder; empty for the job's folder itself. */
  readonly base: string;
  readonly saveLocal: SaveLocal;
  readonly signal: AbortSignal;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

interface Pending extends Omit<SettingAside, 'root'> {
  readonly folder: string;
}

export class ReplaceStored implements WayMaker {
  readonly folder = undefined;
  readonly #options: ReplaceStoredOptions;
  /** States of the files whose content is stored, by path below the target folder. */
  readonly #stored = new Map<string, BigIntStats>();
  /** A replaced file that has a temporary name until another file has taken its name. */
  #pending: Pending | undefined;
  #count = 0;
  #saved = 0;

  constructor(options: ReplaceStoredOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  get saved(): number {
    return this.#saved;
  }

  async prepare(path: string, seen: BigIntStats): Promise<void> {
    const { to, base, saveLocal, signal } = this.#options;
    if (seen.isDirectory()) {
      if (readdirSync(`${to}/${path}`).length === 0) return;
      throw new MirrorError(
        'NotSaved',
        `${path} was a file and is now a folder that is not empty; move the folder away`,
      );
    }
    const { isNew } = await saveLocal(within(base, path), seen, signal);
    if (isNew) this.#saved += 1;
    // Small objects are written without another check, so a stopped restore must end here.
    signal.throwIfAborted();
    this.#stored.set(path, seen);
  }

  move(path: string, folder: HeldFolder): void {
    this.#endPending();
    const name = basename(path);
    const seen = folder.lstat(name);
    if (!seen) return;
    if (seen.isDirectory()) rmdirSync(folder.at(name));
    else this.#pending = { ...this.#setAside(path, folder), folder: parentOf(path) };
    this.#count += 1;
  }

  remove(path: string, folder: HeldFolder): void {
    this.#endPending();
    const { temporary } = this.#setAside(path, folder);
    rmSync(folder.at(temporary));
    this.#count += 1;
  }

  async sync(): Promise<void> {
    this.#endPending();
  }

  /** Throws MirrorError `NotSaved` if the file is no longer in the state that was stored. */
  #setAside(path: string, folder: HeldFolder): Omit<SettingAside, 'root'> {
    const name = basename(path);
    const [stored, now] = [this.#stored.get(path), folder.lstat(name)];
    const kind = now && kindOf(now);
    if (!stored || !now || !kind || !isSameFile(stored, now))
      throw new MirrorError('NotSaved', `${path} is not replaced: it was changed at the same time`);
    const entry = toExactEntry(name, kind, now);
    const aside = { path: name, temporary: temporaryName(), entry, now: this.#options.now };
    setAsideFile({ ...aside, root: folder.openPath });
    this.#stored.delete(path);
    return aside;
  }

  /** Removes the replaced file. If no other file has taken its name, gives the name back instead. */
  #endPending(): void {
    const { folder, ...aside } = this.#pending ?? {};
    this.#pending = undefined;
    if (folder === undefined || !('path' in aside)) return;
    try {
      inFolder(this.#options.to, folder, ({ openPath }) =>
        endSettingAside({ ...(aside as Omit<SettingAside, 'root'>), root: openPath }),
      );
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      // The folder was moved or removed in the meantime. The file's content is stored as a version.
    }
  }
}

/**
 * Returns whether both stats describe the same, unchanged file. Ignores the ctime of a file with several hard links,
 * because renaming another hard link changes it.
 */
function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  if (a.nlink === 1n) return sameState(a, b);
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs;
}
