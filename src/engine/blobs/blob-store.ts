/**
 * Stores large bodies in files. A file is written below tmp/, synced, and renamed to its final path. Only then may a
 * database row refer to the file. So a crash can leave an orphaned file, which the garbage collection moves to trash/,
 * but it cannot leave a row without a file.
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
 * The number of characters of a file's name that form the name of its folder. So there are 256 folders, each created
 * and synced once. With a million large objects, a folder has 4,000 files, and a file system with indexed directories
 * does not slow down.
 */
const SHARD_CHARACTERS = 2;

interface BlobStoreOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly logger: Logger;
  /** Returns the error for new files while the store accepts no new files; undefined if it accepts them. */
  readonly refusal: () => StorageError | undefined;
  /** Called when the disk reports an I/O error (`EIO`). From then on, it is unknown which bytes are durable. */
  readonly onFailure: (error: StorageError) => void;
  /** Called when the last reader of a file has ended and `remove` had to keep the file for that reader. */
  readonly onUnread: (name: string) => void;
}

/** A blob file that is being written. The caller must finish it with `keep` or `discard`. */
export interface BlobFile {
  readonly name: string;
  readonly handle: FileHandle;
}

export class BlobStore {
  /** The thread that hashes the bodies of all files. */
  readonly hashThread = new HashThread();
  readonly #options: BlobStoreOptions;
  /**
   * Names of blob files that no row refers to yet, because the write is in progress. The files are below tmp/ or at
   * their final path.
   */
  readonly #unnamed = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** Names of unreferenced files that can be deleted only after the last reader of the file has ended. */
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
    // Check the free space during the write too, because a long body could use up the required free space.
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

  /**
   * Makes the written bytes durable. A failed sync is never retried: a later sync can succeed although the bytes were
   * lost.
   */
  async sync({ handle }: BlobFile): Promise<void> {
    try {
      await handle.datasync();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Closes the file and makes it durable at its final path. */
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

  /** Closes and deletes the file of a failed write, whether it is still below tmp/ or already at its final path. */
  async discard({ name, handle }: BlobFile): Promise<void> {
    await handle.close().catch(() => undefined);
    await this.#tryUnlink(this.#tmpPath(name));
    await this.#tryUnlink(this.path(name));
    this.#unnamed.delete(name);
  }

  /** Records that a database row refers to the file. Must be called after that row is committed. */
  markReferenced(content: FileContent): void {
    this.#unnamed.delete(content.file);
  }

  /** Deletes a blob file whose command was refused, so that no row will ever refer to it. */
  async deleteUnreferenced(content: FileContent): Promise<void> {
    await this.#tryUnlink(this.path(content.file));
    this.#unnamed.delete(content.file);
  }

  /**
   * Returns whether a file without a row is still being written or read. The garbage collection must keep such a file.
   */
  isInUse(name: string): boolean {
    return this.#unnamed.has(name) || this.#readers.has(name);
  }

  openForReading(name: string): Promise<FileHandle> {
    return this.#options.files.open(this.path(name), 'r');
  }

  /**
   * Prevents the deletion of a blob file until the returned function is called, even if no row refers to the file any
   * more.
   */
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

  /**
   * Deletes unreferenced blob files. Returns the names of the deleted files. Files that are still being read are
   * deleted later.
   */
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

  /**
   * Deletes a file if possible. Logs an error instead of throwing it, because the caller reports the first error of the
   * write, and the garbage collection deletes the file later.
   */
  async #tryUnlink(path: string): Promise<void> {
    try {
      await this.#unlink(path);
    } catch (error) {
      const fields = { path, reason: errorMessage(error) };
      this.#options.logger.warn(
        fields,
        'remove blob file: failed; the next garbage collection tries again',
      );
    }
  }

  /**
   * Creates the folder if it does not exist. Waits until the folder's directory entry is durable, even if another write
   * creates the folder.
   */
  #durableFolder(path: string): Promise<void> {
    const known = this.#folders.get(path);
    if (known) return known;
    const made = this.#makeFolder(path);
    this.#folders.set(path, made);
    made.catch(() => this.#folders.delete(path));
    return made;
  }

  /**
   * Creates a folder and syncs its parent folder. Syncs the parent even if the folder exists, because a crash may have
   * followed its creation.
   */
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

/** Returns the name of the folder that contains a blob file: `aa` for `blobs/aa/aabb…`. */
function shardOf(name: string): string {
  return name.slice(0, SHARD_CHARACTERS);
}
