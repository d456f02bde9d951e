/** The system clock plus an offset. Tests use it to skip time without waiting. */

import { type Clock, systemClock } from '../../src/base/clock.ts';

export class ShiftedClock implements Clock {
  #aheadMs = 0;
  #jumpedMs = 0;

  /**
   * Moves the clock forward. `ms` must not be negative, because a monotonic clock never moves
   * backward.
   */
  putForward(ms: number): void {
    if (ms < 0) throw new RangeError(`clock put forward by ${ms} ms: use jump`);
    this.#aheadMs += ms;
  }

  /** Changes the time of day. The monotonic clock does not change. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs + this.#jumpedMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  after(ms: number, run: () => void): () => void {
    return systemClock.after(ms, run);
  }
}
