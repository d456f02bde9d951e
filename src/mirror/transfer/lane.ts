/**
 * Runs a bounded number of tasks at a time. Tasks that are `first` overtake the other waiting tasks. While both kinds
 * wait, they start in turn, so that constantly saved files do not delay the other files forever.
 */

import { BoundedQueue } from '../../base/bounded-queue.ts';

export class Lane {
  readonly #queue: BoundedQueue;
  readonly #limit: number;
  /** Position of the newest task, by kind. Tasks start in the order of their positions. */
  readonly #last = { first: 0, other: 0 };
  /** Position of the task that started last. */
  #reached = 0;
  #firstWaiting = 0;

  /** `limit`: number of waiting tasks at which the lane is full. */
  constructor({ atOnce, limit }: { readonly atOnce: number; readonly limit: number }) {
    this.#queue = new BoundedQueue({ atOnce, limit });
    this.#limit = limit;
  }

  /** Resolves or rejects as the task does. */
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

  /** Returns whether more tasks may be added as `first`. They take at most about half of the waiting tasks. */
  hasCapacityForFirst(): boolean {
    return this.#firstWaiting < this.#limit / 2;
  }

  waitForCapacity(): Promise<void> {
    return this.#queue.waitForRoom();
  }
}
