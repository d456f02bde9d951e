/** Gives written files their names in groups, because one sync can make all files of a group durable. */

import { setImmediate } from 'node:timers/promises';

import type { SyncFile } from '../base/share-syncs.ts';

/** A written file that waits for a sync. */
export interface UnnamedFile {
  readonly descriptor: number;
  readonly sizeBytes: number;
  /** Called once, when the file is durable, or with the error of its sync. Must not throw. */
  readonly settle: (failure?: unknown) => void;
}

/** Maximum number of files that wait for a sync. They stay open. A higher limit would need fewer syncs. */
const MAX_FILES = 512;
/** Maximum size of the complete files that wait for a sync. A killed restore has to download them again. */
const MAX_BYTES = 8 * 1024 ** 2;
/**
 * Maximum number of files between two turns of the event loop, so that the daemon answers requests during a restore.
 */
const FILES_A_TURN = 64;

export class FileNamer {
  readonly #sync: SyncFile;
  #waiting: UnnamedFile[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #room: PromiseWithResolvers<void> | undefined;
  #hasBegun = false;

  constructor(sync: SyncFile) {
    this.#sync = sync;
  }

  /** Adds a file. The first one gets its name at once, others when a group of them is full. */
  add(file: UnnamedFile): void {
    this.#waiting.push(file);
    this.#waitingBytes += file.sizeBytes;
    if (this.#isFull || !this.#hasBegun) this.#start();
  }

  get hasRoom(): boolean {
    return !this.#isFull;
  }

  /** Resolves when more files may be written. */
  async waitForRoom(): Promise<void> {
    if (this.hasRoom) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  /** Resolves when all files have been settled. */
  async finish(): Promise<void> {
    while (this.#running || this.#waiting.length > 0) {
      this.#start();
      await this.#running;
    }
  }

  get #isFull(): boolean {
    return this.#waiting.length >= MAX_FILES || this.#waitingBytes >= MAX_BYTES;
  }

  #start(): void {
    this.#hasBegun = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    do {
      const group = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#room?.resolve();
      this.#room = undefined;
      await this.#settle(group);
    } while (this.#isFull);
  }

  async #settle(group: readonly UnnamedFile[]): Promise<void> {
    const syncs = await Promise.allSettled(group.map(({ descriptor }) => this.#sync(descriptor)));
    for (const [index, file] of group.entries()) {
      if (index % FILES_A_TURN === FILES_A_TURN - 1) await setImmediate();
      const sync = syncs[index];
      file.settle(sync?.status === 'rejected' ? sync.reason : undefined);
    }
  }
}
