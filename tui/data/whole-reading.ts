/**
 * Reads data from start to end, once. If the read fails or is cancelled, the next `begin` and the next connection to
 * the daemon start again from the beginning.
 */

import type { DaemonLink } from './daemon-link.ts';
import { outcomeOf } from './outcome.ts';
import { whenUp } from './when-up.ts';

export class WholeReading {
  readonly #link: DaemonLink;
  readonly #read: (signal: AbortSignal) => Promise<void>;
  readonly #ended: () => void;
  #reading: AbortController | undefined;
  #stop: (() => void) | undefined;
  #isDone = false;
  #problem: string | undefined;

  /** `ended` is called when the read has completed or failed, but not after a cancellation. */
  constructor(link: DaemonLink, read: (signal: AbortSignal) => Promise<void>, ended: () => void) {
    this.#link = link;
    this.#read = read;
    this.#ended = ended;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The error message of the last read. Undefined if the read succeeded. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Starts the read, unless it has already completed. */
  begin(): void {
    this.leave();
    this.#stop = whenUp(this.#link, () => {
      if (!this.#isDone) void this.#begin();
    });
  }

  leave(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #begin(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    // `outcomeOf` rejects only if the read was cancelled. Its result is then not needed.
    const outcome = await outcomeOf(this.#read(reading.signal)).catch(() => undefined);
    if (!outcome || this.#reading !== reading) return;
    this.#problem = outcome.problem;
    this.#isDone = outcome.problem === undefined;
    this.#ended();
  }
}
