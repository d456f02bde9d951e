/**
 * Precedence between jobs with one target. A job with a lower priority begins nothing while one with a higher has work,
 * but waits a minute at most for each batch: one that never comes to an end must not stop all others for good. What is
 * under way goes on, and holds nobody up: each job has lanes of its own.
 */

import type { Clock } from '../../base/clock.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Priority } from '../model/limit-settings.ts';

/** So that one that waits all the time still does 64 small files a minute in each lane. */
const LONGEST_WAIT_MS = 60_000;

const RANKS: Readonly<Record<Priority, number>> = { low: 0, normal: 1, high: 2 };

export class TurnsOfTargets {
  readonly #clock: Clock;
  readonly #known = new WeakMap<MirrorStore, TargetTurns>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same ones for the same store. */
  at(store: MirrorStore): TargetTurns {
    const turns = this.#known.get(store) ?? new TargetTurns(this.#clock);
    this.#known.set(store, turns);
    return turns;
  }
}

/** The work of all jobs with one target. */
export class TargetTurns {
  readonly #clock: Clock;
  /** Batches by rank, waiting or under way. */
  readonly #busy = [0, 0, 0];
  #changed = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(priority: Priority = 'normal'): JobTurns {
    const rank = RANKS[priority];
    return {
      announce: () => this.#announce(rank),
      yieldTurn: (signal) => this.#yieldTurn(rank, signal),
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

  async #yieldTurn(rank: number, signal: AbortSignal): Promise<void> {
    const until = this.#clock.monotonic() + LONGEST_WAIT_MS;
    while (!signal.aborted && this.#busy.some((count, other) => other > rank && count > 0)) {
      const leftMs = until - this.#clock.monotonic();
      if (leftMs <= 0) return;
      await this.#change(leftMs, signal);
    }
  }

  /** Resolves after `ms`, or sooner when somebody has no more work, or when aborted. */
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

/** The part of one job in it. */
export interface JobTurns {
  /** There is a batch to do; call what it returns when it is over. */
  announce(): () => void;
  /** Resolves when it may begin. Never rejects. */
  yieldTurn(signal: AbortSignal): Promise<void>;
}
