/**
 * A clock for tests that advances only when a test calls `advance`. Timers run in the order of
 * their due times.
 */

import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  dueAt: number;
  readonly run: () => void;
}

export class FakeClock implements Clock {
  #now: number;
  #startedAt: number;
  #timers: Timer[] = [];

  constructor(now = Date.UTC(2026, 10, 21, 12)) {
    this.#now = now;
    this.#startedAt = now;
  }

  /** Number of timers that are waiting to run. */
  get timers(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#startedAt;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const cancel = this.after(ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      const stop = () => {
        cancel();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { dueAt: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /**
   * Changes the time of day, as a user does who sets the system clock. No time passes, so no timer
   * runs.
   */
  jump(ms: number): void {
    this.#now += ms;
    this.#startedAt += ms;
    for (const timer of this.#timers) timer.dueAt += ms;
  }

  /** Advances the clock by `ms` milliseconds and runs the timers that become due. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = this.#timers
        .filter((timer) => timer.dueAt <= until)
        .sort((a, b) => a.dueAt - b.dueAt)[0];
      if (!due) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.dueAt);
      due.run();
    }
    this.#now = until;
  }
}
