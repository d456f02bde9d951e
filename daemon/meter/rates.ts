/** Bytes and requests of the last minute by the second, counted without a timer: what nobody counts costs nothing. */

import type { Clock } from '../../src/base/clock.ts';

export const SAMPLES = 60;
const SAMPLE_MS = 1_000;
/** Long enough to be calm, short enough to tell a stop at once. */
const AVERAGED_SAMPLES = 5;

export interface Sample {
  /** Milliseconds since 1970: when the second began. */
  readonly at: number;
  readonly bytesPerSecond: number;
  readonly operationsPerSecond: number;
}

export class Rates {
  readonly #clock: Clock;
  readonly #bytes = new Float64Array(SAMPLES + 1);
  readonly #operations = new Float64Array(SAMPLES + 1);
  /** Of the second that is counted now. */
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

  /** The seconds that are over, the oldest first. */
  samples(): Sample[] {
    this.#advance();
    const began = this.#clock.now() - this.#clock.monotonic() + this.#second * SAMPLE_MS;
    return Array.from({ length: SAMPLES }, (_, index) => {
      const age = SAMPLES - index;
      // The one of `SAMPLES` seconds ago has the slot behind the present one.
      const slot = (this.#second + this.#bytes.length - age) % this.#bytes.length;
      return {
        at: Math.round(began - age * SAMPLE_MS),
        bytesPerSecond: this.#bytes[slot] ?? 0,
        operationsPerSecond: this.#operations[slot] ?? 0,
      };
    });
  }

  /** Over the last seconds that are over. */
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

  /** Seconds in which nothing was counted are empty. */
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
