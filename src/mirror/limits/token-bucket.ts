/**
 * Limits bandwidth with a token bucket. Together, all callers may transfer at most limit × time + burst bytes. They are
 * served in the order in which they arrive. A changed limit takes effect within a second.
 */

import type { Clock } from '../../base/clock.ts';

/** Burst size in bytes. It is also the maximum for one call of `take`. */
export const BURST_BYTES = 64 * 1024;
/** Maximum time in milliseconds until a waiting caller reads the limit again. */
const LONGEST_SLEEP_MS = 1_000;

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: () => number | undefined;
  #tokens = BURST_BYTES;
  /** When tokens were last added, as a monotonic clock reading in milliseconds. */
  #filledAt: number;
  #tail: Promise<void> = Promise.resolve();

  /** `limit` is called at each use. It returns bytes per second, or undefined for no limit. */
  constructor(clock: Clock, limit: () => number | undefined) {
    this.#clock = clock;
    this.#limit = limit;
    this.#filledAt = clock.monotonic();
  }

  get isLimited(): boolean {
    return this.#limit() !== undefined;
  }

  /**
   * Resolves when the caller may transfer `bytes` bytes, at most BURST_BYTES. When aborted, rejects with the signal's
   * reason and consumes no tokens.
   */
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
    const added = ((now - this.#filledAt) / 1_000) * limit;
    this.#tokens = Math.min(BURST_BYTES, this.#tokens + added);
    this.#filledAt = now;
  }
}
