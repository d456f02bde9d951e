/**
 * Whether more requests at once bring more answers a second. A service, or the way to it, has its measure: beyond it
 * requests only wait in another place, and their time limits run.
 */

import type { Clock } from '../base/clock.ts';

/** What is compared is the answers of so long, at least, and as many rounds of all that are under way: they come in bursts. */
const LEAST_MS = 500;
const ROUNDS = 4;
/** Before it was seen what that brings, the limit grows so far at most. */
const AHEAD = 2;
/** So much more at once is compared; a fifth of that should come back as answers. */
const MORE_AT_ONCE = 1.25;
const WORTH = 0.2;
/** After a growth that brought nothing; then it is tried again, since services change. */
const HOLD_MS = 30_000;

interface Known {
  readonly limit: number;
  /** Answers a millisecond. */
  readonly rate: number;
}

export class Growth {
  readonly #clock: Clock;
  #known: Known | undefined;
  /** The limit when counting began, and at all answers that are counted, summed up. */
  #first: number | undefined;
  #limits = 0;
  #answers = 0;
  /** In which they came; time in which less was under way does not count. */
  #ms = 0;
  #lastAt: number | undefined;
  #holdUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the limit may grow. */
  allows(limit: number): boolean {
    return this.#isOpen() && limit < AHEAD * (this.#first ?? limit);
  }

  /** One was answered while `limit` were under way. Returns the limit to go back to, where more brought nothing. */
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

  /** One was answered while there was room for more: that tells nothing. */
  idle(): void {
    this.#lastAt = undefined;
  }

  /** What is known is of a service that could do more. */
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
    this.#known = undefined;
    this.#holdUntil = this.#clock.monotonic() + HOLD_MS;
    return before.limit;
  }
}
