/**
 * Measures whether more concurrent requests increase the rate of responses. Beyond the capacity of the service or the
 * network, additional requests only wait in a queue there, while their timeouts run.
 */

import type { Clock } from '../base/clock.ts';

/**
 * The minimum duration of a measurement in milliseconds, and the minimum number of responses per
 * concurrent request. Responses arrive in bursts, so a shorter measurement would be inaccurate.
 */
const LEAST_MS = 500;
const ROUNDS = 4;
/** The maximum factor by which the limit grows before the effect is measured. */
const AHEAD = 2;
/**
 * Two measurements are compared if their limits differ at least by the factor `MORE_AT_ONCE`. The response rate must
 * then grow by at least the share `WORTH` of the growth of the limit.
 */
const MORE_AT_ONCE = 1.25;
const WORTH = 0.2;
/**
 * Up to this limit, the limit grows regardless of measurements while a response takes less than `QUICK_MS` on average.
 * Other programs on the same processors or network change the response rate more than the limit does, so a measurement
 * would often stop the growth for no reason. A few waiting requests cost nothing as long as their timeouts are far
 * away.
 */
const UNMEASURED = 64;
const QUICK_MS = 1_000;
/**
 * If growth had no effect, the limit does not grow for this time, in milliseconds. After that it may grow again,
 * because the capacity of a service changes.
 */
const HOLD_MS = 30_000;

interface Known {
  readonly limit: number;
  /** The rate of responses per millisecond. */
  readonly rate: number;
}

export class Growth {
  readonly #clock: Clock;
  #known: Known | undefined;
  /** The concurrency limit when the first response was counted. */
  #first: number | undefined;
  /** The sum, over all counted responses, of the concurrency limit at the time of the response. */
  #limits = 0;
  #answers = 0;
  /**
   * The time in which the counted responses arrived, in milliseconds. It excludes times when the
   * limit was not reached.
   */
  #ms = 0;
  #lastAt: number | undefined;
  #holdUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether the limit may grow. */
  allows(limit: number): boolean {
    return this.#isOpen() && limit < AHEAD * (this.#first ?? limit);
  }

  /**
   * Counts a response that arrived while `limit` requests were in progress. If growth had no effect,
   * returns the previous limit. Otherwise returns undefined.
   */
  answered(limit: number): number | undefined {
    const now = this.#clock.monotonic();
    this.#first ??= limit;
    if (this.#lastAt !== undefined) {
      this.#answers += 1;
      this.#limits += limit;
      this.#ms += now - this.#lastAt;
    }
    this.#lastAt = now;
    if (this.#ms < LEAST_MS || this.#answers < ROUNDS * limit) return undefined;
    const mean = this.#limits / this.#answers;
    const known = { limit: mean, rate: this.#answers / this.#ms };
    this.#begin();
    return this.#isOpen() ? this.#compare(known) : undefined;
  }

  /**
   * Called for a response that arrives while fewer requests than the limit are in progress. Excludes
   * the time since the last response from the measurement.
   */
  idle(): void {
    this.#lastAt = undefined;
  }

  /** Discards the measurements, because the service has become slower. */
  forget(): void {
    this.#known = undefined;
    this.#begin();
  }

  #isOpen(): boolean {
    return this.#clock.monotonic() >= this.#holdUntil;
  }

  #begin(): void {
    this.#first = undefined;
    this.#limits = 0;
    this.#answers = 0;
    this.#ms = 0;
  }

  #compare(now: Known): number | undefined {
    const before = this.#known;
    const growth = before === undefined ? 0 : now.limit / before.limit;
    if (growth >= 1 && growth < MORE_AT_ONCE) return undefined;
    this.#known = now;
    if (before === undefined || growth < 1) return undefined;
    if (now.rate / before.rate - 1 >= (growth - 1) * WORTH) return undefined;
    const least = now.limit / now.rate < QUICK_MS ? UNMEASURED : 0;
    if (now.limit < least) return undefined;
    this.#known = undefined;
    this.#holdUntil = this.#clock.monotonic() + HOLD_MS;
    return Math.max(before.limit, least);
  }
}
