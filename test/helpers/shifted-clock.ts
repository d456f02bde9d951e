/** The system's clock, put forward in steps without waiting for the time to pass. */

import { type Clock, systemClock } from '../../src/base/clock.ts';

export class ShiftedClock implements Clock {
  #aheadMs = 0;
  #jumpedMs = 0;

  putForward(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Only the wall clock: no time passes. */
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
