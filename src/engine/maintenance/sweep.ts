/**
 * Collects garbage that crashes left, and compares the blob files with the database rows. Deletes incomplete files and
 * moves orphaned files to trash/. If a blob file is missing, moves it back from trash/. If it is not in trash/,
 * quarantines the blob.
 */

import { join } from 'node:path';

import { errorCode, errorMessage, isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { StorageError } from '../../object-store/storage-error.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileOperations, PassPoint } from '../disk/faults.ts';
import type { Layout } from '../disk/layout.ts';
import type { FileComparison } from './check-files.ts';
import type { RunCommand } from '../writes/writer.ts';
import { type Damage, MAX_LISTED_DAMAGE, type Quarantine } from './quarantine.ts';
import type { Trash } from './trash.ts';

export interface SweepReport {
  /** The number of incomplete files that were deleted from tmp/. */
  readonly temporaryFiles: number;
  /** The number of blob files without a database row that were moved to trash/. */
  readonly orphans: number;
  /** The number of deleted files whose versions had been removed. */
  readonly garbage: number;
  /** The number of missing blob files that were moved back from trash/. */
  readonly restored: number;
  /** The number of files that were deleted from trash/ because they had been there long enough. */
  readonly emptied: number;
  /** Some of the blobs that are known to be damaged. */
  readonly damaged: readonly Damage[];
}

interface SweepOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly blobs: BlobStore;
  readonly comparison: FileComparison;
  readonly trash: Trash;
  readonly quarantine: Quarantine;
  /** Runs a command with the permissions of the engine itself. */
  readonly run: RunCommand;
  /** Returns the error for all writes if the store refuses writes; otherwise undefined. */
  readonly refusal: () => StorageError | undefined;
  readonly logger: Logger;
}

export class Sweep {
  readonly #options: SweepOptions;
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Starts a garbage collection in the background. */
  start(): void {
    this.run().catch((error: unknown) => this.#logFailure(error, 'sweep store'));
  }

  /** Ends a running garbage collection early, and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /**
   * Collects garbage, and returns a report. If a garbage collection is already running, starts after it, because two at
   * the same time would count the same orphaned files.
   */
  async run(): Promise<SweepReport> {
    const sweep = this.#running.then(() => this.#sweep());
    this.#running = sweep.catch(() => undefined);
    const report = await sweep;
    this.#log(report);
    return report;
  }

  /**
   * Deletes the files of removed blobs in the background. Must be called after the commit that removed the blobs' rows.
   */
  dispose(garbage: readonly string[]): void {
    this.#collect(garbage).catch((error: unknown) => this.#logFailure(error, 'remove blob files'));
  }

  /**
   * Deletes the files, and then their rows in the garbage table. If a crash interrupts the deletion, the next garbage
   * collection completes it.
   */
  async #collect(garbage: readonly string[]): Promise<void> {
    const { blobs, refusal, run } = this.#options;
    const files = await blobs.remove(garbage);
    if (files.length === 0 || refusal()) return;
    await run('forgetGarbage', { files });
  }

  #log({ temporaryFiles, orphans, garbage, restored, emptied }: SweepReport): void {
    const { logger, layout } = this.#options;
    const counts = { temporaryFiles, orphans, garbage, restored, emptied };
    if (Object.values(counts).every((count) => count === 0)) return;
    logger.info(
      { dir: layout.root, ...counts },
      'collect garbage: removed files that the store does not use',
    );
  }

  #logFailure(error: unknown, action: string): void {
    const { logger, layout } = this.#options;
    logger.error(
      { dir: layout.root, reason: errorMessage(error) },
      `${action}: failed; the next garbage collection tries again`,
    );
  }

  async #sweep(): Promise<SweepReport> {
    const { comparison, quarantine, trash } = this.#options;
    const temporaryFiles = await this.#emptyTmp();
    const garbage = comparison.garbage();
    await this.#collect(garbage);
    let [orphans, restored] = [0, 0];
    for (const folder of await comparison.folders()) {
      if (this.#isStopped) break;
      const found = await this.#sweepFolder(folder);
      orphans += found.orphans;
      restored += found.restored;
    }
    const emptied = await trash.empty();
    await this.#inspectAgain();
    return {
      temporaryFiles,
      orphans,
      garbage: garbage.length,
      restored,
      emptied,
      damaged: quarantine.list(MAX_LISTED_DAMAGE),
    };
  }

  /**
   * Reads all quarantined blobs, which can be large. If the store closes before the end, the remaining blobs are read
   * after it is opened again.
   */
  async #inspectAgain(): Promise<void> {
    const { signal } = this.#stop;
    try {
      signal.throwIfAborted();
      await this.#options.quarantine.inspectAgain(async () => signal.throwIfAborted());
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  async #emptyTmp(): Promise<number> {
    const { layout, comparison, blobs, passPoint } = this.#options;
    const names = await comparison.list(layout.tmp);
    const left = names.filter((name) => !blobs.isInUse(name));
    for (const name of left) {
      await this.#unlink(join(layout.tmp, name));
      passPoint('after-sweep-tmp');
    }
    return left.length;
  }

  async #sweepFolder(folder: number): Promise<{ orphans: number; restored: number }> {
    const { blobs, comparison, trash, passPoint, quarantine } = this.#options;
    const { path, orphans, missing } = await comparison.compare(folder);
    for (const file of orphans) {
      await trash.put(join(path, file), file);
      passPoint('after-sweep-orphan');
    }
    let restored = 0;
    for (const { file, blobId } of missing) {
      if (this.#isStopped) break;
      if (await trash.takeBack(file, blobs.path(file))) restored += 1;
      await quarantine.inspect(blobId, async () => undefined);
    }
    return { orphans: orphans.length, restored };
  }

  async #unlink(path: string): Promise<void> {
    try {
      await this.#options.files.unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
}
