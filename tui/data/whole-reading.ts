/**
 * Reads data once from start to end. If the read fails or is cancelled, the next `begin` starts again from the
 * beginning.
 */

import { outcomeOf } from './outcome.ts';

export class WholeReading {
  readonly #read: (signal: AbortSignal) => Promise<void>;
  readonly #ended: () => void;
  #reading: AbortController | undefined;
  #isDone = false;
  #problem: string | undefined;

  /** `ended` is called when the read has completed or failed, but not when it was cancelled. */
  constructor(read: (signal: AbortSignal) => Promise<void>, ended: () => void) {
    this.#read = read;
    this.#ended = ended;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The error message of the last read. Undefined if it succeeded. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Starts the read again, unless it has completed. */
  begin(): void {
    this.leave();
    if (!this.#isDone) void this.#begin();
  }

  leave(): void {
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #begin(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    // The outcome rejects only if the read was cancelled, when its result is not needed.
    const outcome = await outcomeOf(this.#read(reading.signal)).catch(() => undefined);
    if (!outcome || this.#reading !== reading) return;
    this.#problem = outcome.problem;
    this.#isDone = outcome.problem === undefined;
    this.#ended();
  }
}
