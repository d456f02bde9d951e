/**
 * Defines the paths in a store's folder, and creates folders and files durably. Holdfast chooses all names in the
 * folder; users cannot influence them.
 */

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

/** Only the user that runs the process may read the files and folders of a store. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export interface Layout {
  readonly root: string;
  readonly lock: string;
  readonly lockHolder: string;
  readonly metadata: string;
  readonly blobs: string;
  readonly tmp: string;
  /**
   * The folder to which the garbage collection moves orphaned files for some days. It is created when it is first
   * needed.
   */
  readonly trash: string;
  /** A file that contains the ID of the database with which the store was last opened. */
  readonly opening: string;
  /** The reserve file. It is deleted when the disk is full, so that deletes still succeed. */
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

/** Creates the missing folders of a store and syncs them to the disk. */
export function createFolders(layout: Layout): void {
  const made = mkdirSync(layout.root, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) syncFolder(dirname(made));
  for (const folder of [layout.blobs, layout.tmp]) {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  }
  // Sync the folder even if nothing was created: another process may have created the folders and ended before its
  // sync.
  syncFolder(layout.root);
}

/**
 * Creates an empty file with mode `FILE_MODE` unless it exists. SQLite itself would create a file that all users can
 * read. Its `-wal` and `-shm` files get the mode of the database file. An existing file is not opened, because closing
 * it would release all locks that the process holds on it.
 */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'wx', FILE_MODE));
  syncFolder(dirname(path));
}

/** Replaces the content of a file atomically. After a power failure, the file has either the old or the new content. */
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
