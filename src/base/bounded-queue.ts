/** A queue of tasks that can be waited for until it has room for more. */

import PQueue from 'p-queue';

interface Limits {
  /** Number of tasks that run at a time. */
  readonly atOnce: number;
  /** Number of waiting tasks from which the queue has no room. */
  readonly limit: number;
}

/**
 * Used instead of `PQueue.onSizeLessThan`, which listens for two events and removes both listeners by an abort signal. Node 24
 * keeps only the last such removal of an event target from being garbage-collected. The other listener then stays for good,
 * and each task of a long queue calls all of them.
 */
export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #limit: number;
  #room: PromiseWithResolvers<void> | undefined;

  constructor({ atOnce, limit }: Limits) {
    this.#queue = new PQueue({ concurrency: atOnce });
    this.#limit = limit;
  }

  /** Resolves or rejects as the task does. Of the tasks that wait, those with the highest priority start first. */
  add<T>(task: () => Promise<T>, { priority = 0 } = {}): Promise<T> {
    const started = () => {
      if (this.hasRoom) this.#wakeAll();
      return task();
    };
    return this.#queue.add(started, { priority });
  }

  get hasRoom(): boolean {
    return this.#queue.size < this.#limit;
  }

  async waitForRoom(): Promise<void> {
    if (this.hasRoom) return;
    this.#room ??= Promise.withResolvers();
    await this.#room.promise;
  }

  #wakeAll(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Resolves when all tasks have ended. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }
}
