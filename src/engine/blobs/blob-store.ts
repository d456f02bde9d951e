/**
 * The files that large bodies lie in. A file is written below tmp/, synced, and renamed into place; only
 * then may a row name it. So a crash can leave a file without a row, which the sweep removes, but never a
 * row without a file.
 */

import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { FileContent } from './content.ts';
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
  /** Why nothing is taken now. */
  readonly refusal: () => StorageError | undefined;
  /** Told of the first file that could not be made durable. */
  readonly onFailure: (error: StorageError) => void;
  /** Told of a removed file when its last reader is through with it. */
  readonly onUnread: (name: string) => void;
}

/** A file that is being written. One of `keep` and `discard` ends it. */
export interface BlobFile {
  readonly name: string;
  readonly handle: FileHandle;
}

export class BlobStore {
  readonly #options: BlobStoreOptions;
  /** Files that no row names yet but that are in use all the same, below tmp/ or already in place. */
  readonly #unnamed = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** Removed by the rows, but still being read. */
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
    // Also of what was begun before: it would take what the disk is to keep.
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

  /** What was written is durable afterwards. A sync that failed is not tried again: it would lie. */
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

  /** Leaves no trace of a body that failed on its way, wherever it had come to. */
  async discard({ name, handle }: BlobFile): Promise<void> {
    await handle.close().catch(() => undefined);
    await this.#tryUnlink(this.#tmpPath(name));
    await this.#tryUnlink(this.path(name));
    this.#unnamed.delete(name);
  }

  /** A row names the file from now on. */
  named(content: FileContent): void {
    this.#unnamed.delete(content.file);
  }

  /** No row will name the file: the command that should have done so was refused. */
  async disown(content: FileContent): Promise<void> {
    await this.#tryUnlink(this.path(content.file));
    this.#unnamed.delete(content.file);
  }

  /** Whether the sweep must leave a file alone that no row names. */
  isInUse(name: string): boolean {
    return this.#unnamed.has(name) || this.#readers.has(name);
  }

  openForReading(name: string): Promise<FileHandle> {
    return this.#options.files.open(this.path(name), 'r');
  }

  /** Until the returned function is called, the file stays, even when the last row that names it goes. */
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

  /** Removes files that no row names any more. Tells those that are gone; the others are being read. */
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

  /** The error that brought us here is the one to tell; what stays is removed by the next sweep. */
  async #tryUnlink(path: string): Promise<void> {
    try {
      await this.#unlink(path);
    } catch (error) {
      const fields = { path, reason: errorMessage(error) };
      this.#options.logger.warn(fields, 'remove blob file: failed, the next sweep tries again');
    }
  }

  /** Whoever needs the folder waits until its entry is durable, not only the one who made it. */
  #durableFolder(path: string): Promise<void> {
    const known = this.#folders.get(path);
    if (known) return known;
    const made = this.#makeFolder(path);
    this.#folders.set(path, made);
    made.catch(() => this.#folders.delete(path));
    return made;
  }

  /** One that was there may have been made just before a crash: its parent is synced once since the start. */
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
