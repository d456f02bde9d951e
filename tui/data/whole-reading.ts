/** What is read once from its beginning to its end: begun anew where it was left or failed before that. */

import { outcomeOf } from './outcome.ts';

export class WholeReading {
  readonly #read: (signal: AbortSignal) => Promise<void>;
  readonly #ended: () => void;
  #reading: AbortController | undefined;
  #isDone = false;
  #problem: string | undefined;

  /** `ended`: called when it is done, or has failed; not when it was left. */
  constructor(read: (signal: AbortSignal) => Promise<void>, ended: () => void) {
    this.#read = read;
    this.#ended = ended;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Why the last reading failed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Nothing happens when it is done. */
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
    // It rejects only after the screen was left, when the result is not needed.
    const outcome = await outcomeOf(this.#read(reading.signal)).catch(() => undefined);
    if (!outcome || this.#reading !== reading) return;
    this.#problem = outcome.problem;
    this.#isDone = outcome.problem === undefined;
    this.#ended();
  }
}
