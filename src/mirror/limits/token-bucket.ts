/**
 * A limit on bytes: never more than limit × time + burst pass, whoever takes them. Who waits is served in the order of
 * arrival. The limit may change at any time; who waits sees it within a second.
 */

import type { Clock } from '../../base/clock.ts';

/** What may pass at once when nothing did for a while. Nobody may take more at a time. */
export const BURST_BYTES = 64 * 1024;
/** Between two looks at the limit. */
const LONGEST_SLEEP_MS = 1_000;

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: () => number | undefined;
  #tokens = BURST_BYTES;
  /** By the monotonic clock. */
  #filledAt: number;
  #tail: Promise<void> = Promise.resolve();

  /** `limit`: bytes per second now; undefined for none. */
  constructor(clock: Clock, limit: () => number | undefined) {
    this.#clock = clock;
    this.#limit = limit;
    this.#filledAt = clock.monotonic();
  }

  /** Whether there is a limit now. */
  get isLimited(): boolean {
    return this.#limit() !== undefined;
  }

  /** Resolves when `bytes`, up to BURST_BYTES, may pass. Rejects with the signal's reason, and takes nothing. */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    const before = this.#tail;
    const turn = Promise.withResolvers<void>();
    this.#tail = turn.promise;
    try {
      await before;
      await this.#wait(bytes, signal);
    } finally {
      turn.resolve();
    }
  }

  async #wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const limit = this.#limit();
      if (limit === undefined) return;
      this.#fill(limit);
      if (this.#tokens >= bytes) {
        this.#tokens -= bytes;
        return;
      }
      const dueMs = Math.ceil(((bytes - this.#tokens) / limit) * 1_000);
      await this.#clock.sleep(Math.min(LONGEST_SLEEP_MS, dueMs), signal);
    }
  }

  #fill(limit: number): void {
    const now = this.#clock.monotonic();
    const come = ((now - this.#filledAt) / 1_000) * limit;
    this.#tokens = Math.min(BURST_BYTES, this.#tokens + come);
    this.#filledAt = now;
  }
}
