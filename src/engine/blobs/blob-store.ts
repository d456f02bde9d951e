/**
 * The files of large bodies. A file is written below tmp/, synced, and renamed into place; only then may a row refer to it.
 * So a crash can leave an orphaned file, which the sweep collects, but never a row without a file.
 */

import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { FileContent } from './content.ts';
import { HashThread } from './hash-thread.ts';
import { type FileOperations, type PassPoint } from '../disk/faults.ts';
import { FILE_MODE, FOLDER_MODE, type Layout } from '../disk/layout.ts';
import { diskFull, isOutOfSpace, storeBodyFailed, storeFailed } from '../disk/refusals.ts';

const NAME_BYTES = 16;

/**
 * One level of 256 folders: each is made and synced once in a store's life, and holds 4,000 files at a million
 * large objects, which file systems with indexed folders do not notice.
 */
const SHARD_CHARACTERS = 2;

interface BlobStoreOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly logger: Logger;
  /** Returns the error with which new files are refused, if they are. */
  readonly refusal: () => StorageError | undefined;
  /** Called when a file could not be made durable. */
  readonly onFailure: (error: StorageError) => void;
  /** Called with a removed file after its last reader has ended. */
  readonly onUnread: (name: string) => void;
}

/** A file that is being written. One of `keep` and `discard` ends it. */
export interface BlobFile {
  readonly name: string;
  readonly handle: FileHandle;
}

export class BlobStore {
  /** Hashes the bodies of all files. */
  readonly hashThread = new HashThread();
  readonly #options: BlobStoreOptions;
  /** Files of writes in progress, below tmp/ or in place, which no row refers to yet. */
  readonly #unnamed = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** Files without references that are still being read. */
  readonly #removeLater = new Set<string>();
  readonly #folders = new Map<string, Promise<void>>();
  #syncedBlobs = false;

  constructor(options: BlobStoreOptions) {
    this.#options = options;
  }

  async create(): Promise<BlobFile> {
    this.#checkRoom();
    const name = randomBytes(NAME_BYTES).toString('hex');
    this.#unnamed.add(name);
    try {
      const handle = await this.#options.files.open(this.#tmpPath(name), 'wx', FILE_MODE);
      this.#options.passPoint('after-tmp-create');
      return { name, handle };
    } catch (error) {
      this.#unnamed.delete(name);
      throw this.#translate(error);
    }
  }

  async write({ handle }: BlobFile, bytes: Uint8Array, position: number): Promise<void> {
    // Also during a write: it would use the space that is to remain free.
    this.#checkRoom();
    try {
      for (let done = 0; done < bytes.byteLength;) {
        const rest = bytes.subarray(done);
        const { bytesWritten } = await handle.write(rest, 0, rest.byteLength, position + done);
        done += bytesWritten;
      }
      this.#options.passPoint('after-tmp-write');
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Makes written bytes durable. A failed sync is never retried, because a later one can succeed without the bytes. */
  async sync({ handle }: BlobFile): Promise<void> {
    try {
      await handle.datasync();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Makes the file durable under its final name. */
  async keep(file: BlobFile): Promise<void> {
    const { name, handle } = file;
    const { files, passPoint } = this.#options;
    await this.sync(file);
    try {
      await handle.close();
      passPoint('after-tmp-sync');
      const folder = join(this.#options.layout.blobs, shardOf(name));
      await this.#durableFolder(folder);
      await files.rename(this.#tmpPath(name), join(folder, name));
      passPoint('after-rename');
      await this.#syncFolder(folder);
      passPoint('after-folder-sync');
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Deletes the file of a body that failed, in any state. */
  async discard({ name, handle }: BlobFile): Promise<void> {
    await handle.close().catch(() => undefined);
    await this.#tryUnlink(this.#tmpPath(name));
    await this.#tryUnlink(this.path(name));
    this.#unnamed.delete(name);
  }

  /** Call this when a row refers to the file. */
  markReferenced(content: FileContent): void {
    this.#unnamed.delete(content.file);
  }

  /** Deletes a file that no row will refer to, because its command was refused. */
  async deleteUnreferenced(content: FileContent): Promise<void> {
    await this.#tryUnlink(this.path(content.file));
    this.#unnamed.delete(content.file);
  }

  /** Whether a file without a row is in use, so that the sweep must keep it. */
  isInUse(name: string): boolean {
    return this.#unnamed.has(name) || this.#readers.has(name);
  }

  openForReading(name: string): Promise<FileHandle> {
    return this.#options.files.open(this.path(name), 'r');
  }

  /** Keeps the file until the returned function is called, even if its last reference is removed. */
  hold(name: string): () => void {
    this.#readers.set(name, (this.#readers.get(name) ?? 0) + 1);
    return () => {
      const readers = (this.#readers.get(name) ?? 1) - 1;
      if (readers > 0) {
        this.#readers.set(name, readers);
        return;
      }
      this.#readers.delete(name);
      if (this.#removeLater.delete(name)) this.#options.onUnread(name);
    };
  }

  /** Deletes files without references. Returns the deleted ones; the others are still being read. */
  async remove(names: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = [];
    for (const name of names) {
      if (this.#readers.has(name)) {
        this.#removeLater.add(name);
        continue;
      }
      this.#options.passPoint('before-unlink');
      await this.#unlink(this.path(name));
      this.#options.passPoint('after-unlink');
      gone.push(name);
    }
    return gone;
  }

  path(name: string): string {
    return join(this.#options.layout.blobs, shardOf(name), name);
  }

  #tmpPath(name: string): string {
    return join(this.#options.layout.tmp, name);
  }

  async #unlink(path: string): Promise<void> {
    try {
      await this.#options.files.unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  /** Ignores errors: the caller reports the first one, and the next sweep collects the file. */
  async #tryUnlink(path: string): Promise<void> {
    try {
      await this.#unlink(path);
    } catch (error) {
      const fields = { path, reason: errorMessage(error) };
      this.#options.logger.warn(fields, 'remove blob file: failed, the next sweep tries again');
    }
  }

  /** Every write into a new folder waits until its entry is durable, not only the one that created it. */
  #durableFolder(path: string): Promise<void> {
    const known = this.#folders.get(path);
    if (known) return known;
    const made = this.#makeFolder(path);
    this.#folders.set(path, made);
    made.catch(() => this.#folders.delete(path));
    return made;
  }

  /** An existing folder may have been created just before a crash, so its parent is synced once after the start. */
  async #makeFolder(path: string): Promise<void> {
    const made = await this.#options.files.mkdir(path, { recursive: true, mode: FOLDER_MODE });
    this.#options.passPoint('after-folder-make');
    if (made === undefined && this.#syncedBlobs) return;
    await this.#syncFolder(this.#options.layout.blobs);
    this.#syncedBlobs = true;
  }

  async #syncFolder(path: string): Promise<void> {
    const folder = await this.#options.files.open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  #checkRoom(): void {
    const refusal = this.#options.refusal();
    if (refusal) throw refusal;
  }

  #translate(error: unknown): unknown {
    const code = errorCode(error);
    if (isOutOfSpace(error)) return diskFull(error);
    if (code === undefined || error instanceof StorageError) return error;
    if (code !== 'EIO') return storeBodyFailed(error);
    const failure = storeFailed(errorMessage(error));
    this.#options.onFailure(failure);
    return failure;
  }
}

/** `blobs/aa/aabb…`. */
function shardOf(name: string): string {
  return name.slice(0, SHARD_CHARACTERS);
}
