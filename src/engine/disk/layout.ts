/**
 * Defines the paths in a store's folder, and creates folders and files durably. Holdfast chooses all names there; none
 * comes from a user.
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

/** Only the user that runs the process can read the files and folders of a store. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export interface Layout {
  readonly root: string;
  readonly lock: string;
  readonly lockHolder: string;
  readonly metadata: string;
  readonly blobs: string;
  readonly tmp: string;
  /** The folder to which orphaned files are moved for some days. It is created when it is needed. */
  readonly trash: string;
  /** The file with the ID of the database that was last open in this folder. */
  readonly opening: string;
  /** The reserve: a file that is deleted when the disk is full. */
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

/** Creates the folders that are missing, and syncs them to the disk. */
export function createFolders(layout: Layout): void {
  const made = mkdirSync(layout.root, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) syncFolder(dirname(made));
  for (const folder of [layout.blobs, layout.tmp]) {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  }
  // Sync even if the folders exist: the process that created them may have ended before its sync.
  syncFolder(layout.root);
}

/**
 * Creates an empty file with mode `FILE_MODE` unless it exists. A file that SQLite creates would be readable by all users;
 * the files that it adds (`-wal`, `-shm`) get the mode of the database. An existing file is not opened, because closing it
 * would release all locks that the process holds on it.
 */
export function createPrivateFile(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'wx', FILE_MODE));
  syncFolder(dirname(path));
}

/** Replaces the content of a file atomically. After a power failure, the file has either the old content or the new one. */
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
