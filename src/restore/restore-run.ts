/** Runs a restore: orders its steps, and decides whether an error concerns a single path or the whole restore. */

import { closeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { BoundedQueue } from '../base/bounded-queue.ts';
import { ByteBudget } from '../base/byte-budget.ts';
import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { appliedInfo } from '../mirror/objects/applied-metadata.ts';
import type { RestoreReport, RunParts, RestoreOptions } from './restore-options.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { FileTarget, FolderTarget, LinkTarget } from './restore-table.ts';
import { FileNamer } from './file-namer.ts';
import { finishRoot } from './finish-root.ts';
import { type ParentFolder, ParentFolders, unusableFolder } from './parent-folders.ts';
import { type FetchedFile, TreeFiles } from './tree-files.ts';

/**
 * Error codes that concern a single object. `InvalidRequest` means that its encryption key was not supplied; other
 * objects may not need that key.
 */
const OF_ONE_OBJECT = [
  'NoSuchKey',
  'NoSuchVersion',
  'AccessDenied',
  'InternalError',
  'InvalidRequest',
] as const;

/**
 * Number of files that are restored concurrently. It equals the number of a client's connections, because a small file
 * takes one round trip.
 */
const FILES_AT_ONCE = 128;
/** Maximum total size in bytes of the files that are restored concurrently. */
const BYTES_AT_ONCE = 64 * 1024 ** 2;
/**
 * Maximum number of bytes that a single file counts towards `BYTES_AT_ONCE`. This permits two large files at once.
 * With more files at once, the first file would be complete later and the last file no sooner, because each file is
 * already read in several ranges at a time.
 */
const MAX_COUNTED_BYTES = BYTES_AT_ONCE / 2;
/** Number of folders whose attributes are read concurrently, in addition to the files. */
const FOLDERS_AT_ONCE = 16;
/**
 * Maximum number of files that are handled before the event loop runs again, so that the daemon answers requests during
 * a restore.
 */
const FILES_A_TURN = 16;
const FOLDERS_SYNCED_AT_ONCE = 64;
/** Maximum number of queued folders, so that a million folders do not create a million promises. */
const MAX_QUEUED = 64;
/** System errors that concern a single path. Other errors, such as ENOSPC or EROFS, would occur for every path. */
const OF_ONE_PATH: ReadonlySet<string> = new Set([
  'EACCES',
  'EBUSY',
  'EEXIST',
  'EINVAL',
  'EILSEQ',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENXIO',
  'EPERM',
  'EXDEV',
]);

/** Counts that a restore run returns. They do not include set-aside entries, because the caller counts those. */
export type RunCounts = Pick<
  RestoreReport,
  'files' | 'kept' | 'directories' | 'symlinks' | 'bytes'
>;

/**
 * Restores folders, then files, then symbolic links, so that no file is written through a link. Sets folder attributes
 * last.
 */
export class RestoreRun {
  readonly #options: RestoreOptions;
  readonly #parts: RunParts;
  readonly #treeFiles: TreeFiles;
  readonly #parents: ParentFolders;
  readonly #namer: FileNamer;
  readonly #failure = new AbortController();
  readonly #signal: AbortSignal;
  readonly #totals: { readonly totalFiles: number; readonly totalBytes: number };
  #files = 0;
  #kept = 0;
  #directories = 0;
  #symlinks = 0;
  #bytes = 0;
  #bytesDone = 0;
  #begun = 0;

  constructor(options: RestoreOptions, parts: RunParts) {
    this.#options = options;
    this.#parts = parts;
    this.#parents = new ParentFolders(parts);
    this.#namer = new FileNamer(parts.sync);
    this.#totals = parts.table.totals();
    this.#signal = AbortSignal.any([
      this.#failure.signal,
      ...(options.signal ? [options.signal] : []),
    ]);
    this.#treeFiles = new TreeFiles(options, parts, this.#signal);
  }

  /**
   * Runs the restore. Must be called only once. `last` removes local entries that are not in the tree. It is called
   * after everything is restored, while the folders are still writable.
   */
  async run(last: () => Promise<void>): Promise<RunCounts> {
    const { table, restoreFolder } = this.#parts;
    restoreFolder.removeHalfFiles('');
    for (const folder of table.folders())
      await this.#attempt(folder.path, async () => {
        await this.#prepareFolder(folder.path);
        this.#makeFolder(folder);
      });
    await this.#fetchAll();
    for (const link of table.links()) await this.#attempt(link.path, () => this.#makeLink(link));
    await this.#attempt('', () => restoreFolder.removeUnusedPartials());
    if (!this.#signal.aborted) await last();
    await this.#syncFolders();
    for (const folder of table.finishedFolders())
      await this.#attempt(folder.path, () => restoreFolder.finishFolder(folder));
    await this.#attempt('', () => finishRoot(this.#options, this.#parts, this.#signal));
    this.#signal.throwIfAborted();
    await this.#syncFolder('');
    return {
      files: this.#files,
      kept: this.#kept,
      directories: this.#directories,
      symlinks: this.#symlinks,
      bytes: this.#bytes,
    };
  }

  /**
   * Runs `work` unless the restore has failed. An error either becomes this path's problem or makes the whole restore
   * fail.
   */
  async #attempt(path: string, work: () => void | Promise<void>): Promise<void> {
    if (!this.#signal.aborted) await this.#runWork(path, work);
  }

  async #runWork(path: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#report(path, error);
    }
  }

  #report(path: string, error: unknown): void {
    if (this.#signal.aborted) return;
    if (!concernsOnePath(error)) this.#failure.abort(error);
    const message = `cannot restore ${path}: ${failureReason(error)}`;
    this.#parts.problems.add({ path, code: 'failed', message });
  }

  async #fetchAll(): Promise<void> {
    const { table } = this.#parts;
    const budget = new ByteBudget(BYTES_AT_ONCE);
    const fetchFolder = ({ path, object }: FolderTarget) =>
      object && this.#attempt(path, () => this.#fetchFolder(path, object));
    const fetchFile = async (target: FileTarget) => {
      if (!this.#namer.hasRoom) await this.#namer.waitForRoom();
      if (++this.#begun % FILES_A_TURN === 0) await setImmediate();
      await this.#attempt(target.path, async () => {
        const sizeBytes = Math.min(target.sizeBytes, MAX_COUNTED_BYTES);
        const giveBack = await budget.take(sizeBytes, this.#signal);
        await this.#restoreFile(target).finally(giveBack);
      });
    };
    await Promise.all([
      forEach(table.folders(), FOLDERS_AT_ONCE, fetchFolder),
      forEach(table.files(), FILES_AT_ONCE, fetchFile),
    ]);
    await this.#namer.finish();
    this.#parents.close();
  }

  async #fetchFolder(path: string, object: StoredObject): Promise<void> {
    const { info } = await this.#options.store.headObject(this.#reference(object), {
      signal: this.#signal,
    });
    const { table } = this.#parts;
    const onWithheld = () => table.noteUnproven(path);
    table.noteInfo(path, appliedInfo({ key: object.key, info }, this.#options, onWithheld));
  }

  async #restoreFile(target: FileTarget): Promise<void> {
    const parent = this.#parents.hold(target.path);
    const { inFlight, onUnread } = this.#options;
    const file = inFlight?.begin(target.path, target.sizeBytes);
    const onBytes = (count: number) => {
      if (file) file.bytes += count;
      this.#received(count);
    };
    const outcome = await this.#treeFiles
      .restore(target, parent, onBytes)
      .catch((error: unknown) => {
        this.#abandon(parent);
        onUnread?.(target, error);
        throw error;
      })
      .finally(() => file && inFlight?.end(file));
    if (outcome.is === 'fetched') return this.#name(target, outcome, parent);
    parent.release();
    if (outcome.is === 'symlink') return;
    if (outcome.is === 'kept') this.#kept += 1;
    else this.#files += 1;
    this.#progress(outcome.sizeBytes);
  }

  /** Gives the file its name even if another path has failed, because the file is complete. */
  #name({ path, sizeBytes }: FileTarget, fetched: FetchedFile, parent: ParentFolder): void {
    const settle = (failure?: unknown) => {
      try {
        if (failure !== undefined) {
          fetched.file.remove();
          throw failure;
        }
        fetched.name();
        parent.release();
        this.#files += 1;
        this.#progress(fetched.continuedBytes);
      } catch (error) {
        this.#abandon(parent);
        this.#report(path, error);
      }
    };
    this.#namer.add({ descriptor: fetched.file.descriptor, sizeBytes, settle });
  }

  /** Releases a folder after a file in it failed. The folder may have been moved, so the next file opens it again. */
  #abandon(parent: ParentFolder): void {
    parent.release();
    this.#parents.close();
  }

  /**
   * Throws ENOTDIR if a path's folder could not be created or is still a link, so that no entry is created through that
   * link.
   */
  #refuseUnusableFolder(path: string): void {
    const folder = parentOf(path);
    if (folder === '' || this.#parts.table.folderState(folder)) return;
    throw unusableFolder();
  }

  #makeFolder({ path, object }: FolderTarget): void {
    this.#refuseUnusableFolder(path);
    const state = this.#parts.restoreFolder.makeFolder(path, object === undefined);
    this.#parts.table.noteFolder(path, state);
    if (state.isNew) this.#directories += 1;
  }

  /** Prepares to set aside a file or link that is in the way of a folder. */
  async #prepareFolder(path: string): Promise<void> {
    const stats = this.#parts.restoreFolder.statsOf(path);
    if (stats && !stats.isDirectory()) await this.#parts.aside.prepare(path, stats);
  }

  #makeLink(link: LinkTarget): void {
    if (this.#parts.restoreFolder.makeLink(link)) this.#symlinks += 1;
    else this.#kept += 1;
    this.#progress(0);
  }

  async #syncFolders(): Promise<void> {
    const queue = new BoundedQueue({ atOnce: FOLDERS_SYNCED_AT_ONCE, limit: MAX_QUEUED });
    for (const { path } of this.#parts.table.finishedFolders()) {
      await queue.waitForRoom();
      void queue.add(() => this.#attempt(path, () => this.#syncFolder(path)));
    }
    await queue.idle();
  }

  /** Syncs a folder. Files and links that were created or renamed in it are durable after that. */
  async #syncFolder(path: string): Promise<void> {
    const descriptor = this.#parts.restoreFolder.openFolder(path);
    try {
      await this.#parts.sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #received(bytes: number): void {
    this.#bytes += bytes;
    this.#progress(bytes);
  }

  #progress(bytes: number): void {
    this.#bytesDone += bytes;
    const files = this.#files + this.#symlinks + this.#kept;
    this.#options.onProgress?.({ files, bytes: this.#bytesDone, ...this.#totals });
  }

  #reference({ key, versionId }: StoredObject) {
    return { bucket: this.#options.bucket, key, ...defined({ versionId }) };
  }
}

/** Calls `use` for each value, with several calls running concurrently. */
async function forEach<T>(
  values: Iterable<T>,
  atOnce: number,
  use: (value: T) => Promise<void> | undefined,
): Promise<void> {
  const iterator = values[Symbol.iterator]();
  const lane = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next())
      await use(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

function concernsOnePath(error: unknown): boolean {
  if (isStorageError(error)) return isStorageError(error, ...OF_ONE_OBJECT);
  if (error instanceof MirrorError || error instanceof RangeError) return true;
  const code = errorCode(error);
  return code !== undefined && OF_ONE_PATH.has(code);
}
