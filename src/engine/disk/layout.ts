/** Where things lie below a store's folder. Names there are ours alone, never a user's. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Only the owner of the process may look into a store. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export interface Layout {
  readonly root: string;
  readonly lock: string;
  readonly lockHolder: string;
  readonly metadata: string;
  readonly blobs: string;
  readonly tmp: string;
  /** Files that no row names, for some days. Made when it is needed. */
  readonly trash: string;
  /** Says which database was last open here. */
  readonly opening: string;
  /** Room that is given up when the disk is full. */
  readonly reserve: string;
}

export function layoutOf(dir: string): Layout {
  return {
    root: dir,
    lock: join(dir, 'lock.sqlite'),
    lockHolder: join(dir, 'lock.holder'),
    metadata: join(dir, 'store.sqlite'),
    blobs: join(dir, 'blobs'),
    tmp: join(dir, 'tmp'),
    trash: join(dir, 'trash'),
    opening: join(dir, 'opening'),
    reserve: join(dir, 'reserve'),
  };
}

/** Makes the folders that are missing, durably. */
export function createFolders(layout: Layout): void {
  const made = mkdirSync(layout.root, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) syncFolder(dirname(made));
  for (const folder of [layout.blobs, layout.tmp]) {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  }
  // Always: the process that created them may have ended before this.
  syncFolder(layout.root);
}

/**
 * SQLite would make its files readable to everybody; those it adds (`-wal`, `-shm`) get the mode of this one.
 * A file that is there is never opened: closing it would free the locks of the whole process.
 */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'wx', FILE_MODE));
  syncFolder(dirname(path));
}

/** The file has its old content or the new one, whenever the power goes. */
export function writeFileDurably(path: string, content: string | Uint8Array): void {
  const next = `${path}.next`;
  const file = openSync(next, 'w', FILE_MODE);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  syncFolder(dirname(path));
}

export function syncFolder(path: string): void {
  syncFile(path);
}

export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
