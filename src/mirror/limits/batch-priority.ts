/**
 * Implements priorities between jobs that share a target. A job starts no batch while a job of higher priority
 * has work, but waits at most a minute per batch, so that no job starves. Batches that have started continue
 * and block no other job: each job has its own concurrency slots.
 */

import type { Clock } from '../../base/clock.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Priority } from '../model/limit-settings.ts';

/**
 * Maximum time that a batch waits for jobs of higher priority, in milliseconds. A job that always waits still
 * uploads 64 small files a minute in each slot.
 */
const LONGEST_WAIT_MS = 60_000;

const RANKS: Readonly<Record<Priority, number>> = { low: 0, normal: 1, high: 2 };

export class BatchPriorities {
  readonly #clock: Clock;
  readonly #known = new WeakMap<MirrorStore, TargetBatches>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the batches of the target with this store; always the same instance for the same store. */
  at(store: MirrorStore): TargetBatches {
    const batches = this.#known.get(store) ?? new TargetBatches(this.#clock);
    this.#known.set(store, batches);
    return batches;
  }
}

/** Counts the pending and running batches of all jobs with one target. */
export class TargetBatches {
  readonly #clock: Clock;
  /** Number of pending and running batches for each priority: low, normal and high. */
  readonly #busy = [0, 0, 0];
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(priority: Priority = 'normal'): JobBatches {
    const rank = RANKS[priority];
    return {
      announce: () => this.#announce(rank),
      waitForPriority: (signal) => this.#waitForPriority(rank, signal),
    };
  }

  #announce(rank: number): () => void {
    this.#count(rank, 1);
    return () => this.#count(rank, -1);
  }

  #count(rank: number, change: 1 | -1): void {
    this.#busy[rank] = (this.#busy[rank] ?? 0) + change;
    if (this.#busy[rank] > 0) return;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #waitForPriority(rank: number, signal: AbortSignal): Promise<void> {
    const until = this.#clock.monotonic() + LONGEST_WAIT_MS;
    while (!signal.aborted && this.#busy.some((count, other) => other > rank && count > 0)) {
      const leftMs = until - this.#clock.monotonic();
      if (leftMs <= 0) return;
      await this.#change(leftMs, signal);
    }
  }

  /** Resolves after `ms` milliseconds, when a priority has no batches left, or when aborted. */
  async #change(ms: number, signal: AbortSignal): Promise<void> {
    const waited = Promise.withResolvers<void>();
    const cancel = this.#clock.after(ms, waited.resolve);
    const stop = () => waited.resolve();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([this.#changed.promise, waited.promise]);
    signal.removeEventListener('abort', stop);
    cancel();
  }
}

/** One job's access to the shared priorities. */
export interface JobBatches {
  /** Announces a batch. The caller must call the returned function when the batch ends. */
  announce(): () => void;
  /** Resolves when the batch may start. Never rejects. */
  waitForPriority(signal: AbortSignal): Promise<void>;
}
