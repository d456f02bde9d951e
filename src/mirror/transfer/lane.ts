/**
 * Runs a limited number of tasks at a time. Tasks marked as `first`, such as files that were just saved, skip
 * ahead of the others. If both kinds are waiting, they take turns, so that files that are saved constantly do not delay
 * the others forever.
 */

import { BoundedQueue } from '../../base/bounded-queue.ts';

export class Lane {
  readonly #queue: BoundedQueue;
  readonly #limit: number;
  /** Position of the newest task, by kind. Tasks start in order of their positions. */
  readonly #last = { first: 0, other: 0 };
  /** Position of the last task that has started. */
  #reached = 0;
  #firstWaiting = 0;

  /** `limit` is the number of waiting tasks above which the lane is full. */
  constructor({ atOnce, limit }: { readonly atOnce: number; readonly limit: number }) {
    this.#queue = new BoundedQueue({ atOnce, limit });
    this.#limit = limit;
  }

  /** Adds a task. Resolves or rejects together with the task. */
  add(task: () => Promise<void>, { first }: { readonly first: boolean }): Promise<void> {
    const kind = first ? 'first' : 'other';
    const position = Math.max(this.#last[kind], this.#reached) + 1;
    this.#last[kind] = position;
    if (first) this.#firstWaiting += 1;
    const started = () => {
      this.#reached = position;
      if (first) this.#firstWaiting -= 1;
      return task();
    };
    return this.#queue.add(started, { priority: -position });
  }

  hasCapacity(): boolean {
    return this.#queue.hasRoom;
  }

  /** Returns whether more tasks may be added as `first`. They take up at most about half of the waiting tasks. */
  hasCapacityForFirst(): boolean {
    return this.#firstWaiting < this.#limit / 2;
  }

  waitForCapacity(): Promise<void> {
    return this.#queue.waitForRoom();
  }
}
