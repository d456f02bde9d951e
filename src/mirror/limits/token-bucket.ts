/**
 * Limits bandwidth with a token bucket. All callers together may pass at most limit × time + burst bytes.
 * Callers are served in order of arrival. A changed limit takes effect within a second.
 */

import type { Clock } from '../../base/clock.ts';

/** Burst size in bytes. One call of `take` may request at most this number. */
export const BURST_BYTES = 64 * 1024;
/** Maximum time between two reads of the limit while a caller waits, in milliseconds. */
const LONGEST_SLEEP_MS = 1_000;

export class TokenBucket {
  readonly #clock: Clock;
  readonly #limit: () => number | undefined;
  #tokens = BURST_BYTES;
  /** When tokens were last added, in milliseconds of the monotonic clock. */
  #filledAt: number;
  #tail: Promise<void> = Promise.resolve();

  /** `limit` returns bytes per second, or undefined for no limit. It is called at each use. */
  constructor(clock: Clock, limit: () => number | undefined) {
    this.#clock = clock;
    this.#limit = limit;
    this.#filledAt = clock.monotonic();
  }

  get isLimited(): boolean {
    return this.#limit() !== undefined;
  }

  /**
   * Resolves when `bytes` bytes, at most BURST_BYTES, may pass. When aborted, rejects with the signal's reason
   * and consumes no tokens.
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
