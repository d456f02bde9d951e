/** One timer for all that an exchange waits for, one thing after the other. */

import type { Clock } from '../base/clock.ts';

/** `what` did not come within `ms`. */
export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
  readonly what: string;
  readonly ms: number;

  constructor(what: string, ms: number) {
    super(`no ${what} within ${ms / 1000} s`);
    this.what = what;
    this.ms = ms;
  }
}

/**
 * What is expected changes with every piece of a body, so the timer is not: when it fires it looks how long the
 * wait really was, and goes on for the rest.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #expired: (error: WaitedTooLong) => void;
  #expected: { readonly what: string; readonly ms: number; readonly since: number } | undefined;
  #timer: { readonly dueAt: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, expired: (error: WaitedTooLong) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** From now on `what` must come within `ms`, instead of what was expected before. */
  expect(what: string, ms: number): void {
    const since = this.#clock.monotonic();
    this.#expected = { what, ms, since };
    if (this.#timer === undefined || this.#timer.dueAt > since + ms) this.#startTimer(ms);
  }

  /** For now nothing is expected. */
  rest(): void {
    this.#expected = undefined;
  }

  end(): void {
    this.#expected = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #startTimer(ms: number): void {
    this.#timer?.cancel();
    const cancel = this.#clock.after(ms, () => this.#look());
    this.#timer = { dueAt: this.#clock.monotonic() + ms, cancel };
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#expected === undefined) return;
    const { what, ms, since } = this.#expected;
    const leftMs = since + ms - this.#clock.monotonic();
    if (leftMs > 0) this.#startTimer(leftMs);
    else this.#expired(new WaitedTooLong(what, ms));
  }
}
