/**
 * Counts the bytes and requests of each second of the last minute. It needs no timer, so an idle job has no cost.
 */

import type { Clock } from '../../src/base/clock.ts';

export const SAMPLES = 60;
const SAMPLE_MS = 1_000;
/**
 * The number of seconds that `average` covers. It is enough for a steady value, and low enough to show a stop
 * quickly.
 */
const AVERAGED_SAMPLES = 5;

export interface Sample {
  /** The start of the second, in milliseconds since 1970. */
  readonly at: number;
  readonly bytesPerSecond: number;
  readonly operationsPerSecond: number;
}

export class Rates {
  readonly #clock: Clock;
  readonly #bytes = new Float64Array(SAMPLES + 1);
  readonly #operations = new Float64Array(SAMPLES + 1);
  /** The current second: whole seconds of the monotonic clock. */
  #second: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#second = this.#now();
  }

  count(bytes: number, operations = 0): void {
    this.#advance();
    const slot = this.#second % this.#bytes.length;
    this.#bytes[slot] = (this.#bytes[slot] ?? 0) + bytes;
    this.#operations[slot] = (this.#operations[slot] ?? 0) + operations;
  }

  /** Returns the completed seconds, oldest first. */
  samples(): Sample[] {
    this.#advance();
    const began = this.#clock.now() - this.#clock.monotonic() + this.#second * SAMPLE_MS;
    return Array.from({ length: SAMPLES }, (_, index) => {
      const age = SAMPLES - index;
      // Subtracts `age` seconds and wraps around. There is one slot more than `SAMPLES`, for the current second.
      const slot = (this.#second + this.#bytes.length - age) % this.#bytes.length;
      return {
        at: Math.round(began - age * SAMPLE_MS),
        bytesPerSecond: this.#bytes[slot] ?? 0,
        operationsPerSecond: this.#operations[slot] ?? 0,
      };
    });
  }

  /** Returns the average of the last `AVERAGED_SAMPLES` completed seconds. */
  average(): Omit<Sample, 'at'> {
    const last = this.samples().slice(-AVERAGED_SAMPLES);
    const mean = (of: (sample: Sample) => number) =>
      last.reduce((sum, sample) => sum + of(sample), 0) / AVERAGED_SAMPLES;
    return {
      bytesPerSecond: mean((sample) => sample.bytesPerSecond),
      operationsPerSecond: mean((sample) => sample.operationsPerSecond),
    };
  }

  #now(): number {
    return Math.floor(this.#clock.monotonic() / SAMPLE_MS);
  }

  /** Advances to the current second, and clears the slots of seconds without counts. */
  #advance(): void {
    const now = this.#now();
    const empty = Math.min(now - this.#second, this.#bytes.length);
    for (let age = 0; age < empty; age += 1) {
      const slot = (now - age) % this.#bytes.length;
      this.#bytes[slot] = 0;
      this.#operations[slot] = 0;
    }
    this.#second = now;
  }
}
