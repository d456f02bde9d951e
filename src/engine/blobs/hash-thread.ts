/**
 * Hashes large bodies on a separate thread, while the main thread receives the next blocks and writes the hashed ones.
 */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { errorMessage } from '../../base/errors.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { Hashing } from '../checksums/body-digests.ts';
import { hashingFailed } from '../disk/refusals.ts';
import { type HashBlock, type HashMessage, type HashReply, memoryOf } from './hash-messages.ts';

export interface BodyHasher {
  /**
   * Hashes the next block of the body. If the hash thread has failed, this call and all later calls reject with
   * `InternalError`.
   */
  next(block: HashBlock): Promise<HashReply>;
  /** Abandons the body before its last block, so that the hash thread frees the body's memory. */
  drop(): void;
}

export class HashThread {
  #running: RunningThread | undefined;
  #nextId = 1;
  #isClosed = false;

  /**
   * Returns a hasher for one body. Starts the hash thread for the first body, and again after the thread has failed.
   * Throws `ServiceUnavailable` after `close`.
   */
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

  /** Ends the hash thread. Bodies that are not completely hashed fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.end();
  }
}

class RunningThread {
  readonly #worker: Worker;
  /** The promises for the blocks that have no reply yet, in the order of the blocks. */
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
