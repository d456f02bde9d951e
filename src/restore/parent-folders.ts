/** Keeps the last file's folder open, because consecutive files in a restore are usually in the same folder. */

import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { RunParts } from './restore-options.ts';

/** An open folder that several files use. It is closed after the last of these files. */
export class ParentFolder {
  readonly path: string;
  readonly held: HeldFolder;
  /** Whether this restore created the folder. If so, any other entries in it belong to another program. */
  readonly isNew: boolean;
  #users = 1;

  constructor(path: string, held: HeldFolder, isNew: boolean) {
    this.path = path;
    this.held = held;
    this.isNew = isNew;
  }

  retain(): this {
    this.#users += 1;
    return this;
  }

  release(): void {
    this.#users -= 1;
    if (this.#users === 0) this.held.close();
  }
}

export class ParentFolders {
  readonly #parts: Pick<RunParts, 'restoreFolder' | 'table' | 'isNew'>;
  #last: ParentFolder | undefined;

  constructor(parts: Pick<RunParts, 'restoreFolder' | 'table' | 'isNew'>) {
    this.#parts = parts;
  }

  /**
   * Opens a path's folder. The caller must release it. Throws the errors of `HeldFolder`, such as ENOTDIR if the folder
   * could not be created or is still a symbolic link, so that no file is written through that link.
   */
  hold(path: string): ParentFolder {
    const folder = parentOf(path);
    if (this.#last?.path !== folder) {
      this.close();
      this.#last = this.#open(folder);
    }
    return this.#last.retain();
  }

  #open(path: string): ParentFolder {
    const { restoreFolder, table, isNew } = this.#parts;
    const state = path === '' ? { isNew } : table.folderState(path);
    if (!state) throw unusableFolder();
    return new ParentFolder(path, restoreFolder.hold(path), state.isNew);
  }

  /** Makes the next call open its folder again, for example because the open folder was moved. */
  close(): void {
    this.#last?.release();
    this.#last = undefined;
  }
}

export function unusableFolder(): Error {
  return Object.assign(new Error('its folder could not be created'), { code: 'ENOTDIR' });
}
