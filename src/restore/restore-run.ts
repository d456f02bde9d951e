/** One restore under way: what is done in which order, and what goes wrong for one path or for all. */

import { closeSync } from 'node:fs';

import PQueue from 'p-queue';

import { defined } from '../base/defined.ts';
import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { appliedInfo } from '../mirror/objects/applied-metadata.ts';
import type { RestoreReport, RunParts, RestoreOptions } from './restore-options.ts';
import type { NameFile } from '../mirror/transfer/write-file.ts';
import type { StoredObject } from '../mirror/objects/version-listing.ts';
import type { FileTarget, FolderTarget, LinkTarget } from './restore-table.ts';
import { finishRoot } from './finish-root.ts';
import { TreeFiles } from './tree-files.ts';

/** `InvalidRequest`: it is encrypted under a key that was not given; others may be in clear. */
const OF_ONE_OBJECT = [
  'NoSuchKey',
  'NoSuchVersion',
  'AccessDenied',
  'InternalError',
  'InvalidRequest',
] as const;

/** Enough to hide the latency of a remote service and of syncs. */
const CONCURRENCY = 16;
/** Written files that wait for one sync: the more, the fewer syncs; each is an open file. */
const UNSYNCED = 512;
const FOLDERS_SYNCED_AT_ONCE = 64;
/** Waiting behind those, so that a million keys are not a million promises. */
const WAITING = 64;
/** System errors that tell of one path; all others (no space, read-only) would be the same for each. */
const OF_ONE_PATH = new Set([
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

/** What a run did; what is set aside its caller knows. */
export type RunCounts = Pick<
  RestoreReport,
  'files' | 'kept' | 'directories' | 'symlinks' | 'bytes'
>;

/** Folders first, then files, then links, so that no path leads through a link; last the folders' attributes. */
export class RestoreRun {
  readonly #options: RestoreOptions;
  readonly #parts: RunParts;
  readonly #treeFiles: TreeFiles;
  readonly #naming = new PQueue({ concurrency: UNSYNCED });
  readonly #failure = new AbortController();
  readonly #signal: AbortSignal;
  readonly #totals: { readonly totalFiles: number; readonly totalBytes: number };
  #files = 0;
  #kept = 0;
  #directories = 0;
  #symlinks = 0;
  #bytes = 0;
  #bytesDone = 0;

  constructor(options: RestoreOptions, parts: RunParts) {
    this.#options = options;
    this.#parts = parts;
    this.#totals = parts.table.totals();
    this.#signal = AbortSignal.any([
      this.#failure.signal,
      ...(options.signal ? [options.signal] : []),
    ]);
    this.#treeFiles = new TreeFiles(options, parts, this.#signal);
  }

  /** Once. `last` removes what is to go, when all is there that is to come and folders may be written to still. */
  async run(last: () => Promise<void>): Promise<RunCounts> {
    const { table, destination } = this.#parts;
    destination.removeHalfFiles('');
    for (const folder of table.folders())
      await this.#attempt(folder.path, () => this.#makeFolder(folder));
    await this.#fetchAll();
    for (const link of table.links()) await this.#attempt(link.path, () => this.#makeLink(link));
    if (!this.#signal.aborted) await last();
    await this.#syncFolders();
    for (const folder of table.finishedFolders())
      await this.#attempt(folder.path, () => destination.finishFolder(folder));
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

  /** Runs unless the restore has failed; what goes wrong is this path's problem, or the whole restore's. */
  async #attempt(path: string, work: () => void | Promise<void>): Promise<void> {
    if (!this.#signal.aborted) await this.#take(path, work);
  }

  async #take(path: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#signal.aborted) return;
      if (!concernsOnePath(error)) this.#failure.abort(error);
      const message = `restore ${path}: ${failureReason(error)}`;
      this.#parts.problems.add({ path, code: 'failed', message });
    }
  }

  async #fetchAll(): Promise<void> {
    const { table } = this.#parts;
    const queue = new PQueue({ concurrency: CONCURRENCY });
    for (const { path, object } of table.folders()) {
      if (!object) continue;
      await queue.onSizeLessThan(WAITING);
      void queue.add(() => this.#attempt(path, () => this.#fetchFolder(path, object)));
    }
    for (const target of table.files()) {
      await Promise.all([queue.onSizeLessThan(WAITING), this.#naming.onSizeLessThan(1)]);
      void queue.add(() => this.#attempt(target.path, () => this.#restoreFile(target)));
    }
    await queue.onIdle();
    await this.#naming.onIdle();
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
    this.#refuseUnusableFolder(target.path);
    const folder = this.#parts.destination.holdParent(target.path);
    const outcome = await this.#treeFiles
      .restore(target, folder, (count) => this.#received(count))
      .catch((error: unknown) => {
        folder.close();
        this.#options.onUnread?.(target, error);
        throw error;
      });
    if (outcome.is === 'fetched') return this.#name(target, outcome.finish, folder);
    folder.close();
    if (outcome.is === 'symlink') return;
    if (outcome.is === 'kept') this.#kept += 1;
    else this.#files += 1;
    this.#progress(outcome.sizeBytes);
  }

  #name({ path }: FileTarget, nameFile: NameFile, folder: HeldFolder): void {
    const finish = async () => {
      await nameFile(this.#parts.sync);
      this.#files += 1;
      this.#progress(0);
    };
    // Also after a failure elsewhere: the file is whole, and must not stay under its temporary name.
    void this.#naming.add(() => this.#take(path, finish).finally(() => folder.close()));
  }

  /** A folder that could not be made, or is a link still: nothing is written through it. */
  #refuseUnusableFolder(path: string): void {
    if (this.#parts.table.isUsable(parentOf(path))) return;
    throw Object.assign(new Error('its folder could not be made'), { code: 'ENOTDIR' });
  }

  #makeFolder({ path, object }: FolderTarget): void {
    this.#refuseUnusableFolder(path);
    const state = this.#parts.destination.makeFolder(path, object === undefined);
    this.#parts.table.noteFolder(path, state);
    if (state.isMade) this.#directories += 1;
  }

  #makeLink(link: LinkTarget): void {
    if (this.#parts.destination.makeLink(link)) this.#symlinks += 1;
    else this.#kept += 1;
    this.#progress(0);
  }

  async #syncFolders(): Promise<void> {
    const queue = new PQueue({ concurrency: FOLDERS_SYNCED_AT_ONCE });
    for (const { path } of this.#parts.table.finishedFolders()) {
      await queue.onSizeLessThan(WAITING);
      void queue.add(() => this.#attempt(path, () => this.#syncFolder(path)));
    }
    await queue.onIdle();
  }

  /** Files and links renamed or made in a folder are durable once the folder is. */
  async #syncFolder(path: string): Promise<void> {
    const descriptor = this.#parts.destination.openFolder(path);
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

function concernsOnePath(error: unknown): boolean {
  if (isStorageError(error)) return isStorageError(error, ...OF_ONE_OBJECT);
  if (error instanceof MirrorError || error instanceof RangeError) return true;
  const code = errorCode(error);
  return code !== undefined && OF_ONE_PATH.has(code);
}
