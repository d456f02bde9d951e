/** Hashes large bodies in a thread of its own, while the main thread receives what follows and writes what is hashed. */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { errorMessage } from '../../base/errors.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { Hashing } from '../checksums/body-digests.ts';
import { hashingFailed } from '../disk/refusals.ts';
import { type HashBlock, type HashMessage, type HashReply, memoryOf } from './hash-messages.ts';

/** Hashes one body. */
export interface BodyHasher {
  /** Throws `InternalError` if the thread ends, and then for all later blocks. */
  next(block: HashBlock): Promise<HashReply>;
  /** Must be called for a body without a last block. */
  drop(): void;
}

export class HashThread {
  #running: RunningThread | undefined;
  #nextId = 1;
  #isClosed = false;

  /** Starts the thread with the first body, and again with the first one after it has failed. */
  begin(hashing: Hashing): BodyHasher {
    if (this.#isClosed)
      throw new StorageError('ServiceUnavailable', 'store body: the store is being closed');
    const thread = this.#thread();
    const id = this.#nextId++;
    return {
      next: (block) => thread.hash({ id, hashing, block }),
      drop: () => thread.drop(id),
    };
  }

  #thread(): RunningThread {
    if (!this.#running || this.#running.hasEnded) this.#running = RunningThread.start();
    return this.#running;
  }

  /** Bodies that are not at their end fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.end();
  }
}

class RunningThread {
  readonly #worker: Worker;
  /** For each block without a reply, in their order. */
  readonly #waiting: PromiseWithResolvers<HashReply>[] = [];
  #failure: StorageError | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static start(): RunningThread {
    const script = `./hash-worker${extname(import.meta.url)}`;
    const worker = new Worker(new URL(script, import.meta.url));
    const thread = new RunningThread(worker);
    worker.unref();
    worker.on('message', (reply: HashReply) => thread.#waiting.shift()?.resolve(reply));
    worker.on('error', (error) => thread.#fail(errorMessage(error)));
    worker.on('exit', () => thread.#fail('it ended'));
    return thread;
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  hash(message: HashMessage & { readonly block: HashBlock }): Promise<HashReply> {
    if (this.#failure) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<HashReply>();
    this.#waiting.push(waiting);
    this.#worker.postMessage(message, memoryOf(message.block));
    return waiting.promise;
  }

  drop(id: number): void {
    const message: HashMessage = { dropped: id };
    this.#worker.postMessage(message, []);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(reason: string): void {
    const failure = (this.#failure ??= hashingFailed(reason));
    for (const { reject } of this.#waiting.splice(0)) reject(failure);
  }
}
