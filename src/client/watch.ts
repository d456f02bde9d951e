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

/** Most waits are as long or longer, and need no timer but the one that looks. */
const LOOK_MS = 60_000;

/**
 * What is expected changes with every piece of a body, so the timer does not: when it fires it looks how long the
 * wait really was, and goes on for the rest.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #expired: (error: WaitedTooLong) => void;
  #expected: Wait | undefined;
  /** Of all together, whatever is expected meanwhile. */
  #limit: Wait | undefined;
  #timer: { readonly dueAt: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, expired: (error: WaitedTooLong) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** From now on `what` must come within `ms`, instead of what was expected before. */
  expect(what: string, ms: number): void {
    this.#expected = this.#wait(what, ms);
  }

  /** For now nothing is expected. */
  rest(): void {
    this.#expected = undefined;
  }

  /** From now on `what` must come within `ms`, beside all that is expected. */
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
    const soonMs = Math.min(leftMs, LOOK_MS);
    const cancel = this.#clock.after(soonMs, () => this.#look());
    this.#timer = { dueAt: dueAt - leftMs + soonMs, cancel };
  }

  #look(): void {
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
  /** By the monotonic clock. */
  readonly dueAt: number;
}

function sooner(one: Wait | undefined, other: Wait | undefined): Wait | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.dueAt <= other.dueAt ? one : other;
}
