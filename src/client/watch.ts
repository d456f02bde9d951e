/** Enforces all timeouts of a request with a single timer. */

import type { Clock } from '../base/clock.ts';

/** Thrown if `what` did not arrive within `ms` milliseconds. */
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

/** The maximum interval in milliseconds between two checks of the timeouts. */
const CHECK_MS = 60_000;

/**
 * The timeouts of an exchange. The current timeout changes with every chunk of a body, so the timer
 * is not restarted for each chunk. When the timer fires, it compares the elapsed time with the
 * timeout and continues for the remaining time.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #expired: (error: WaitedTooLong) => void;
  #expected: Wait | undefined;
  /** The timeout of the whole exchange. */
  #limit: Wait | undefined;
  #timer: { readonly dueAt: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, expired: (error: WaitedTooLong) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Replaces the current timeout: `what` must arrive within `ms` milliseconds. */
  expect(what: string, ms: number): void {
    this.#expected = this.#wait(what, ms);
  }

  /** Ends the current timeout. The timeout of the whole exchange continues. */
  rest(): void {
    this.#expected = undefined;
  }

  /** Sets the timeout of the whole exchange, in addition to the current timeout. */
  limit(what: string, ms: number): void {
    this.#limit = this.#wait(what, ms);
  }

  unlimit(): void {
    this.#limit = undefined;
  }

  end(): void {
    this.#expected = undefined;
    this.#limit = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wait(what: string, ms: number): Wait {
    const dueAt = this.#clock.monotonic() + ms;
    if (this.#timer === undefined || this.#timer.dueAt > dueAt) this.#startTimer(dueAt, ms);
    return { what, ms, dueAt };
  }

  #startTimer(dueAt: number, leftMs: number): void {
    this.#timer?.cancel();
    const soonMs = Math.min(leftMs, CHECK_MS);
    const cancel = this.#clock.after(soonMs, () => this.#check());
    this.#timer = { dueAt: dueAt - leftMs + soonMs, cancel };
  }

  #check(): void {
    this.#timer = undefined;
    const next = sooner(this.#expected, this.#limit);
    if (next === undefined) return;
    const leftMs = next.dueAt - this.#clock.monotonic();
    if (leftMs > 0) this.#startTimer(next.dueAt, leftMs);
    else this.#expired(new WaitedTooLong(next.what, next.ms));
  }
}

interface Wait {
  readonly what: string;
  readonly ms: number;
  /** When the timeout expires, by the monotonic clock. */
  readonly dueAt: number;
}

function sooner(one: Wait | undefined, other: Wait | undefined): Wait | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.dueAt <= other.dueAt ? one : other;
}
