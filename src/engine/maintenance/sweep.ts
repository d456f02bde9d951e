/**
 * Brings files and rows together again. What a crash left half written goes; a file without a row is moved to
 * trash/; a row without its file gets it back from there, or else its bytes are reported as damaged.
 */

import { join } from 'node:path';

import { errorCode, isAbort } from '../../base/errors.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { FileOperations, PassPoint } from '../disk/faults.ts';
import type { Layout } from '../disk/layout.ts';
import type { FileComparison } from './check-files.ts';
import type { Damage } from './quarantine.ts';
import type { Trash } from './trash.ts';
import type { Pace } from './verify-blob.ts';

export interface SweepReport {
  /** Half-written files below tmp/ that were removed. */
  readonly temporaryFiles: number;
  /** Blob files without a row that were moved to trash/. */
  readonly orphans: number;
  /** Files of removed versions that were still to be unlinked. */
  readonly garbage: number;
  /** Files that were needed and lay in trash/. */
  readonly restored: number;
  /** Files that had been in trash/ for long enough. */
  readonly emptied: number;
  /** All that is known to be damaged now, the first of it. */
  readonly damaged: readonly Damage[];
}

interface SweepOptions {
  readonly layout: Layout;
  readonly files: FileOperations;
  readonly passPoint: PassPoint;
  readonly blobs: BlobStore;
  readonly comparison: FileComparison;
  readonly trash: Trash;
  /** Unlinks files of the garbage table, and then their entries. */
  readonly collect: (files: readonly string[]) => Promise<void>;
  /** Reads these bytes, and puts them into quarantine or takes them out. */
  readonly inspect: (blobId: number) => Promise<unknown>;
  /** The same, for all that is in quarantine. */
  readonly inspectAgain: (pace: Pace) => Promise<void>;
  readonly damaged: () => readonly Damage[];
}

export class Sweep {
  readonly #options: SweepOptions;
  readonly #stop = new AbortController();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** A sweep that runs ends soon. */
  stop(): void {
    this.#stop.abort();
  }

  async run(): Promise<SweepReport> {
    const { comparison, collect, damaged, trash } = this.#options;
    const temporaryFiles = await this.#emptyTmp();
    const garbage = comparison.garbage();
    await collect(garbage);
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
      damaged: damaged(),
    };
  }

  /** May be as much as a disk holds: what a stop leaves of it is looked at after the next opening. */
  async #inspectAgain(): Promise<void> {
    const { signal } = this.#stop;
    try {
      signal.throwIfAborted();
      await this.#options.inspectAgain(async () => signal.throwIfAborted());
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
    const { blobs, comparison, trash, passPoint, inspect } = this.#options;
    const { path, orphans, missing } = await comparison.compare(folder);
    for (const file of orphans) {
      await trash.put(join(path, file), file);
      passPoint('after-sweep-orphan');
    }
    let restored = 0;
    for (const { file, blobId } of missing) {
      if (this.#isStopped) break;
      if (await trash.takeBack(file, blobs.path(file))) restored += 1;
      await inspect(blobId);
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
