/** Gives written files their final names in groups, because one disk sync can make all files in a group durable. */

import { setImmediate } from 'node:timers/promises';

import type { SyncFile } from '../base/share-syncs.ts';

/** A complete file that waits for a disk sync before it gets its final name. */
export interface UnnamedFile {
  readonly descriptor: number;
  readonly sizeBytes: number;
  /** Called once, when the file is durable, or with the error from its sync. Must not throw. */
  readonly settle: (failure?: unknown) => void;
}

/**
 * Maximum number of files that wait for a sync. A higher limit would need fewer syncs, but all these files stay open.
 */
const MAX_FILES = 512;
/**
 * Maximum total size in bytes of complete files that wait for a sync. If the restore is killed, they must be downloaded
 * again.
 */
const MAX_BYTES = 8 * 1024 ** 2;
/**
 * Maximum number of files that are handled before the event loop runs again, so that the daemon answers requests during
 * a restore.
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

  /** Adds a file. The first file gets its name at once. Later files get their names when a group of them is full. */
  add(file: UnnamedFile): void {
    this.#waiting.push(file);
    this.#waitingBytes += file.sizeBytes;
    if (this.#isFull || !this.#hasBegun) this.#start();
  }

  get hasRoom(): boolean {
    return !this.#isFull;
  }

  /** Resolves when the queue has space for more written files. */
  async waitForRoom(): Promise<void> {
    if (this.hasRoom) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  /** Resolves when every added file is durable or has failed. */
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
