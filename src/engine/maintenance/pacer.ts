/** Pauses background work on stored bytes, so that it uses only a share of the disk and of the event loop. */

import type { Clock } from '../../base/clock.ts';

/**
 * The maximum amount of work between two pauses, in bytes and in milliseconds. A pause follows when either limit is
 * reached.
 */
const STRETCH_BYTES = 1024 ** 2;
const STRETCH_MS = 8;

/**
 * The length of a pause as a multiple of the duration of the work before the pause. Under load, the work takes longer,
 * and so do the pauses.
 */
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

  /** Records `bytes` of work, and pauses if a limit is reached. Rejects with the signal's reason. */
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
