/**
 * Takes a snapshot of a file that other programs write to continuously. The snapshot is an atomic reflink if the file
 * system supports it, otherwise a copy. If the file only grew in the meantime, the copy is consistent, because it is
 * the beginning of the file. Any other copy may mix several states.
 */

import { createHash, hash, randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  write,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  chunksOf,
  digestOf,
  type FileContent,
  fileContent,
  memoryContent,
  openFile,
} from './file-content.ts';
import { DESCRIPTORS, hasDescriptors } from './held-folder.ts';
import { openInside } from './open-inside.ts';

export interface Snapshot {
  /** The file's stats from before the snapshot, to detect later writes. */
  readonly stats: BigIntStats;
  readonly body: FileContent;
  readonly isConsistent: boolean;
  /** Deletes the snapshot. The caller must call it after its last read from the body. */
  readonly release: () => void;
}

/** Maximum size of content in memory, in bytes. */
const MEMORY_BYTES = 8 * 1024 * 1024;
const writeAt = promisify(write);

/** A file whose path is relative to `root`. */
export interface FileInside {
  readonly root: string;
  readonly path: string;
}

/**
 * Takes a snapshot in `folder`, which must have enough free space for the whole file. Rejects with a system error;
 * resolves to undefined if the path is not a regular file.
 */
export async function takeSnapshot(
  { root, path }: FileInside,
  folder: string,
  signal?: AbortSignal,
): Promise<Snapshot | undefined> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = `${folder}/${randomUUID()}`;
  const descriptor = openInside(root, path);
  const release = () => rmSync(copy, { force: true });
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return undefined;
    const opened = hasDescriptors() ? `${DESCRIPTORS}/${descriptor}` : `${root}/${path}`;
    const isCloned = tryClone(opened, copy);
    const isConsistent = isCloned || (await copyGrowing(descriptor, copy, signal));
    const body = await contentOf(copy, signal);
    if (body.sizeBytes <= MEMORY_BYTES) release();
    return { stats, body, isConsistent, release };
  } catch (error) {
    release();
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Deletes the snapshots that an interrupted process of the job left behind. Returns the folder for new snapshots. */
export function emptySnapshotFolder(stateDir: string): string {
  const folder = join(stateDir, 'snapshots');
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

/**
 * Clones the file atomically. The clone shares the file's blocks, as supported by btrfs, XFS and others. Returns
 * whether the clone succeeded.
 */
function tryClone(path: string, copy: string): boolean {
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch {
    // The snapshot folder is on another file system, or the file system has no reflinks. For any other cause, the copy
    // that follows reports the error.
    rmSync(copy, { force: true });
    return false;
  }
}

/** Copies the file. Returns true if the copied part did not change in the meantime, so that the file at most grew. */
async function copyGrowing(
  descriptor: number,
  copy: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const sizeBytes = Number(fstatSync(descriptor, { bigint: true }).size);
  const copied = createHash('sha256');
  const target = openSync(copy, 'wx', 0o600);
  let at = 0;
  try {
    for await (const chunk of chunksOf(descriptor, { first: 0, endExclusive: sizeBytes })) {
      signal?.throwIfAborted();
      copied.update(chunk);
      for (let done = 0; done < chunk.byteLength;) {
        const left = chunk.byteLength - done;
        done += (await writeAt(target, chunk, done, left, at + done)).bytesWritten;
      }
      at += chunk.byteLength;
    }
  } finally {
    closeSync(target);
  }
  const again = await digestOf(chunksOf(descriptor, { first: 0, endExclusive: at }), signal);
  return at === sizeBytes && again.sizeBytes === at && again.sha256 === copied.digest('hex');
}

async function contentOf(copy: string, signal: AbortSignal | undefined): Promise<FileContent> {
  const descriptor = openFile(copy);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (stats.size <= MEMORY_BYTES) {
      const bytes = readFileSync(descriptor);
      return memoryContent(bytes, hash('sha256', bytes));
    }
    const whole = { first: 0, endExclusive: Number(stats.size) };
    const { sha256 } = await digestOf(chunksOf(descriptor, whole), signal);
    return fileContent(copy, stats, sha256);
  } finally {
    closeSync(descriptor);
  }
}
