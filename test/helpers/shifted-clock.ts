/** The system's clock, put forward in steps: time that nobody has to wait for. */

import { type Clock, systemClock } from '../../src/base/clock.ts';

export class ShiftedClock implements Clock {
  #aheadMs = 0;

  putForward(ms: number): void {
    this.#aheadMs += ms;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
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
