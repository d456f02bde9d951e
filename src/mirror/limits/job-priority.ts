/**
 * Implements priorities among jobs that share a target. While a job of higher priority has work, other jobs start no
 * action. An action waits at most one minute, so that every job makes progress. Running actions continue and do not
 * block other jobs, because each job has its own concurrency slots.
 */

import type { Clock } from '../../base/clock.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Priority } from '../model/limit-settings.ts';

/**
 * Maximum time that an action waits for jobs of higher priority, in milliseconds. Even a job that always waits runs
 * one action a minute in each of its concurrency slots.
 */
const LONGEST_WAIT_MS = 60_000;

const RANKS: Readonly<Record<Priority, number>> = { low: 0, normal: 1, high: 2 };

export class JobPriorities {
  readonly #clock: Clock;
  readonly #known = new WeakMap<MirrorStore, TargetTurns>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the priorities that all jobs with this store share. The result is always the same instance for the same
   * store.
   */
  at(store: MirrorStore): TargetTurns {
    const turns = this.#known.get(store) ?? new TargetTurns(this.#clock);
    this.#known.set(store, turns);
    return turns;
  }
}

/** Counts the pending and running actions of all jobs that use one target. */
export class TargetTurns {
  readonly #clock: Clock;
  /** Number of pending and running actions for each priority: low, normal and high. */
  readonly #busy = [0, 0, 0];
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(priority: Priority = 'normal'): JobTurns {
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

  /** Resolves after `ms` milliseconds, when a priority has no more actions, or when aborted. */
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

/** One job's access to the priorities that it shares with other jobs. */
export interface JobTurns {
  /**
   * Announces an action, which then counts as pending. The caller must call the returned function when the action ends.
   */
  announce(): () => void;
  /** Resolves when the action may start. Never rejects. */
  waitForPriority(signal: AbortSignal): Promise<void>;
}
