/**
 * A file that never stands still: taken at one instant where the file system can (a reflink), else copied aside while
 * it is written to. What only grew is its first bytes as they were; of all else nobody can tell which states are in it.
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
import { promisify } from 'node:util';

import {
  chunksOf,
  digestOf,
  type FileContent,
  fileContent,
  memoryContent,
  openFile,
} from './file-content.ts';
import { DESCRIPTORS, HAS_DESCRIPTORS } from './held-folder.ts';
import { openInside } from './open-inside.ts';

export interface Snapshot {
  /** Of the file, before it was taken: what is written to it since shows against them. */
  readonly stats: BigIntStats;
  readonly body: FileContent;
  readonly isConsistent: boolean;
  /** To be called when the body is not read any more. */
  readonly release: () => void;
}

/** Up to this size it is held in memory. */
const MEMORY_BYTES = 8 * 1024 * 1024;
const writeAt = promisify(write);

/** A file below `root`. */
export interface FileInside {
  readonly root: string;
  readonly path: string;
}

/** Made in `folder`, with free space for the whole file. Throws a system error; undefined for what is no file. */
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
    const opened = HAS_DESCRIPTORS ? `${DESCRIPTORS}/${descriptor}` : `${root}/${path}`;
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

/** What a stop left behind. */
export function clearSnapshots(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** btrfs, XFS and others share the blocks of the one file with the other, at one instant. */
function tryClone(path: string, copy: string): boolean {
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch {
    // Another file system, or one that cannot: copied then, which tells of any other fault.
    rmSync(copy, { force: true });
    return false;
  }
}

/** Whether what was copied is still there unchanged: then the file only grew, if anything. */
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
