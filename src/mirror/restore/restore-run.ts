/** One restore under way: what is done in which order, and what goes wrong for one path or for all. */

import {
  chmodSync,
  chownSync,
  closeSync,
  lchownSync,
  mkdirSync,
  openSync,
  symlinkSync,
} from 'node:fs';

import PQueue from 'p-queue';

import { defined } from '../../base/defined.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import { collect } from '../../object-store/body.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { decodeAttributes, PLAIN_FOLDER_MODE, type StoredAttributes } from '../local/attributes.ts';
import { MirrorError } from '../mirror-error.ts';
import type { RestoreOptions, RestoreReport } from './restore.ts';
import { mtimeOf, restoreFile, RESTORES_OWNERS, verified } from './restore-file.ts';
import type { StoredObject } from './restore-listing.ts';
import type { FileTarget, RestoreTargets } from './restore-targets.ts';
import type { SetMtime } from './set-mtime.ts';
import type { SyncFile } from './shared-sync.ts';
import type { Problem } from '../types.ts';

/** Enough to hide the latency of a remote service and of syncs. */
const CONCURRENCY = 16;
/** Written files that wait for one sync: the more, the fewer syncs; each is an open file. */
const UNSYNCED = 512;
const FOLDERS_SYNCED_AT_ONCE = 64;
/** Waiting behind those, so that a million keys are not a million promises. */
const WAITING = 64;
/** PATH_MAX: no file system keeps a longer target. */
const LINK_TARGET_LIMIT_BYTES = 4096;
/** System errors that tell of one path; all others (no space, read-only) would be the same for each. */
const OF_ONE_PATH = new Set([
  'EACCES',
  'EEXIST',
  'EINVAL',
  'EILSEQ',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
]);
/** Nobody else may look into a folder that has not got its own mode yet. */
const UNFINISHED_FOLDER_MODE = 0o700;

interface Link {
  readonly path: string;
  readonly target: Uint8Array;
  readonly attributes: StoredAttributes;
  readonly mtimeNs: bigint;
}

export interface SystemCalls {
  readonly setMtime: SetMtime;
  readonly sync: SyncFile;
}

/** Folders first, then files, then links, so that no path leads through a link; last the folders' attributes. */
export class RestoreRun {
  readonly #options: RestoreOptions;
  readonly #to: string;
  readonly #targets: RestoreTargets;
  readonly #setMtime: SetMtime;
  readonly #sync: SyncFile;
  readonly #naming = new PQueue({ concurrency: UNSYNCED });
  readonly #problems: Problem[];
  readonly #links: Link[] = [];
  readonly #folderAttributes = new Map<string, StoredAttributes>();
  readonly #failure = new AbortController();
  readonly #signal: AbortSignal;
  readonly #totals: { readonly totalFiles: number; readonly totalBytes: number };
  readonly #made: string[] = [];
  #files = 0;
  #symlinks = 0;
  #bytes = 0;

  constructor(
    options: RestoreOptions,
    to: string,
    targets: RestoreTargets,
    { setMtime, sync }: SystemCalls,
  ) {
    this.#options = options;
    this.#to = to;
    this.#targets = targets;
    this.#setMtime = setMtime;
    this.#sync = sync;
    this.#problems = [...targets.problems];
    this.#signal = AbortSignal.any([
      this.#failure.signal,
      ...(options.signal ? [options.signal] : []),
    ]);
    const totalBytes = targets.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#totals = { totalFiles: targets.files.length, totalBytes };
  }

  /** Once. */
  async run(): Promise<RestoreReport> {
    for (const path of this.#targets.folders.keys())
      await this.#attempt(path, () => this.#makeFolder(path));
    await this.#fetchAll();
    for (const link of this.#links) await this.#attempt(link.path, () => this.#makeLink(link));
    await this.#syncFolders();
    for (const path of this.#made.reverse())
      await this.#attempt(path, () => this.#finishFolder(path));
    this.#signal.throwIfAborted();
    await this.#syncFolder(this.#to);
    return {
      files: this.#files,
      directories: this.#made.length,
      symlinks: this.#symlinks,
      bytes: this.#bytes,
      problems: this.#problems,
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
      const message = `restore ${path}: ${errorMessage(error)}`;
      this.#problems.push({ path, code: 'failed', message });
    }
  }

  async #fetchAll(): Promise<void> {
    const queue = new PQueue({ concurrency: CONCURRENCY });
    for (const [path, object] of this.#targets.folders) {
      if (!object) continue;
      await queue.onSizeLessThan(WAITING);
      void queue.add(() => this.#attempt(path, () => this.#fetchFolder(path, object)));
    }
    for (const target of this.#targets.files) {
      await Promise.all([queue.onSizeLessThan(WAITING), this.#naming.onSizeLessThan(1)]);
      void queue.add(() => this.#attempt(target.path, () => this.#fetchFile(target)));
    }
    await queue.onIdle();
    await this.#naming.onIdle();
  }

  async #fetchFolder(path: string, object: StoredObject): Promise<void> {
    const { info } = await this.#options.store.headObject(this.#reference(object), {
      signal: this.#signal,
    });
    const attributes = decodeAttributes(info.metadata);
    const mtimeNs = mtimeOf(attributes, info.lastModifiedAt);
    this.#folderAttributes.set(path, { ...attributes, mtimeNs });
  }

  async #fetchFile(target: FileTarget): Promise<void> {
    const content = await this.#options.store.getObject(this.#reference(target), {
      signal: this.#signal,
    });
    const attributes = decodeAttributes(content.info.metadata);
    if (attributes.kind === 'symlink') {
      const bytes = await collect(verified(content, attributes.sha256), LINK_TARGET_LIMIT_BYTES);
      const mtimeNs = mtimeOf(attributes, content.info.lastModifiedAt);
      this.#links.push({ path: target.path, target: bytes, attributes, mtimeNs });
      return;
    }
    const onBytes = (count: number) => this.#progress(count);
    const path = this.#absolute(target.path);
    const setMtime = this.#setMtime;
    const nameFile = await restoreFile({ path, content, attributes, setMtime, onBytes });
    const finish = async () => {
      await nameFile(this.#sync);
      this.#files += 1;
      this.#progress(0);
    };
    // Also after a failure elsewhere: the file is whole, and must not stay under its temporary name.
    void this.#naming.add(() => this.#take(target.path, finish));
  }

  #makeFolder(path: string): void {
    mkdirSync(this.#absolute(path), { mode: UNFINISHED_FOLDER_MODE });
    this.#made.push(path);
  }

  #makeLink({ path, target, attributes, mtimeNs }: Link): void {
    const absolute = this.#absolute(path);
    symlinkSync(Buffer.from(target), absolute);
    const { uid, gid } = attributes;
    if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) lchownSync(absolute, uid, gid);
    this.#setMtime(absolute, mtimeNs);
    this.#symlinks += 1;
    this.#progress(0);
  }

  async #syncFolders(): Promise<void> {
    const queue = new PQueue({ concurrency: FOLDERS_SYNCED_AT_ONCE });
    for (const path of this.#made) {
      await queue.onSizeLessThan(WAITING);
      void queue.add(() => this.#attempt(path, () => this.#syncFolder(this.#absolute(path))));
    }
    await queue.onIdle();
  }

  /** Files and links renamed or made in a folder are durable once the folder is. */
  async #syncFolder(absolute: string): Promise<void> {
    const descriptor = openSync(absolute, 'r');
    try {
      await this.#sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** After all that is in it, since each file made there changes its mtime and needs its write permission. */
  #finishFolder(path: string): void {
    const absolute = this.#absolute(path);
    const { mode, mtimeNs, uid, gid } = this.#folderAttributes.get(path) ?? {};
    if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) chownSync(absolute, uid, gid);
    chmodSync(absolute, mode ?? PLAIN_FOLDER_MODE);
    if (mtimeNs !== undefined) this.#setMtime(absolute, mtimeNs);
  }

  #progress(bytes: number): void {
    this.#bytes += bytes;
    const files = this.#files + this.#symlinks;
    this.#options.onProgress?.({ files, bytes: this.#bytes, ...this.#totals });
  }

  #reference({ key, versionId }: StoredObject) {
    return { bucket: this.#options.bucket, key, ...defined({ versionId }) };
  }

  #absolute(path: string): string {
    return `${this.#to}/${path}`;
  }
}

function concernsOnePath(error: unknown): boolean {
  if (isStorageError(error))
    return isStorageError(error, 'NoSuchKey', 'NoSuchVersion', 'AccessDenied', 'InternalError');
  if (error instanceof MirrorError || error instanceof RangeError) return true;
  const code = errorCode(error);
  return code !== undefined && OF_ONE_PATH.has(code);
}
