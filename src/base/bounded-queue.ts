/** Queues tasks. If too many tasks are waiting, the code that adds tasks can wait before it adds more. */

import PQueue from 'p-queue';

interface Limits {
  /** The number of tasks that run at the same time. */
  readonly atOnce: number;
  /** `waitForRoom` waits while this number of tasks or more are waiting. */
  readonly limit: number;
}

/**
 * A task queue with a limit. Replaces `PQueue.onSizeLessThan`, which listens for two events and removes both listeners
 * with one abort signal. Node 24 protects only the last of these removals from garbage collection. So the other listener
 * can remain forever, and each task of a long queue would call all remaining listeners.
 */
export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #limit: number;
  #room: PromiseWithResolvers<void> | undefined;

  constructor({ atOnce, limit }: Limits) {
    this.#queue = new PQueue({ concurrency: atOnce });
    this.#limit = limit;
  }

  /**
   * Adds a task. Resolves or rejects with the result of the task. Waiting tasks with the highest priority start first.
   */
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
