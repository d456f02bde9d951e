/** Limits background work on stored bytes to a share of the disk and of the event loop. */

import type { Clock } from '../../base/clock.ts';

/** The maximum work between two pauses, in bytes and in milliseconds. Whichever limit is reached first applies. */
const STRETCH_BYTES = 1024 ** 2;
const STRETCH_MS = 8;

/** A pause is this many times as long as the work before it. So under load, when the work takes longer, the pauses are longer, too. */
const RESTS = 3;

export class Pacer {
  readonly #clock: Clock;
  readonly #bytesPerSecond: number;
  readonly #signal: AbortSignal;
  #bytes = 0;
  #since: number;

  constructor(clock: Clock, bytesPerSecond: number, signal: AbortSignal) {
    this.#clock = clock;
    this.#bytesPerSecond = bytesPerSecond;
    this.#signal = signal;
    this.#since = clock.monotonic();
  }

  /** Adds `bytes` to the work done, and resolves when more work may be done. Rejects with the signal's reason. */
  async pace(bytes: number): Promise<void> {
    this.#signal.throwIfAborted();
    this.#bytes += bytes;
    const busyMs = this.#clock.monotonic() - this.#since;
    if (this.#bytes < STRETCH_BYTES && busyMs < STRETCH_MS) return;
    const dueMs = (this.#bytes / this.#bytesPerSecond) * 1000;
    await this.#clock.sleep(Math.max(dueMs - busyMs, busyMs * RESTS), this.#signal);
    this.#bytes = 0;
    this.#since = this.#clock.monotonic();
  }
}
