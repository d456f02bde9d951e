/**
 * The time by which locks are judged (semantics B.4). It follows the wall clock, but never goes back, and follows
 * no jump ahead that is longer than allowed: then it goes on at its own pace until somebody says that the wall
 * clock is right. So neither a wrong clock nor a corrected one ends a retention before its time.
 */

import type { Clock } from '../../base/clock.ts';

export interface TrustedInstant {
  /** Milliseconds since 1970 UTC. */
  readonly trustedNow: number;
  /** How far the wall clock is ahead of it and not believed; 0 when it is believed. */
  readonly clockAheadMs: number;
}

type ReadClock = Pick<Clock, 'now' | 'monotonic'>;

export class TrustedTime {
  readonly #clock: ReadClock;
  readonly #maxJumpMs: number;
  /** With fractions, which many looks would add up. */
  #at: number;
  #readAt: number;

  /** `trustedAt` is what was remembered from the last run; undefined for a store that never ran. */
  constructor(clock: ReadClock, maxJumpMs: number, trustedAt: number | undefined) {
    this.#clock = clock;
    this.#maxJumpMs = maxJumpMs;
    this.#at = trustedAt ?? clock.now();
    this.#readAt = clock.monotonic();
  }

  read(): TrustedInstant {
    const monotonic = this.#clock.monotonic();
    const expected = this.#at + (monotonic - this.#readAt);
    const aheadMs = this.#clock.now() - expected;
    const believed = aheadMs <= this.#maxJumpMs;
    this.#at = believed ? Math.max(expected, expected + aheadMs) : expected;
    this.#readAt = monotonic;
    const trustedNow = Math.round(this.#at);
    return { trustedNow, clockAheadMs: believed ? 0 : this.#clock.now() - trustedNow };
  }

  /** Somebody who knows says that the wall clock is right, be it ahead or behind. */
  trustClock(): void {
    this.#at = this.#clock.now();
    this.#readAt = this.#clock.monotonic();
  }
}
