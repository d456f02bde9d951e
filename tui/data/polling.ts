/** Repeatedly reads data that has no daemon events, while the data is visible. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { DaemonLink } from './daemon-link.ts';

interface PollingOptions {
  readonly clock: Clock;
  readonly link: DaemonLink;
  /** Returns the delay between a response and the next read, in milliseconds. */
  readonly everyMs: () => number;
  /** Reads the data and stores the result. */
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** Called after each read, whether it succeeded or failed. */
  readonly changed: () => void;
}

export class Polling {
  readonly #options: PollingOptions;
  #reading: AbortController | undefined;
  #cancel: (() => void) | undefined;
  #waitMs = 0;
  #stopListening: (() => void) | undefined;
  #problem: string | undefined;
  #hasRead = false;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  /** The error message of the last read. Undefined if it succeeded. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the first read has neither succeeded nor failed yet. */
  get isFirst(): boolean {
    return !this.#hasRead && this.#problem === undefined;
  }

  /**
   * Starts polling with an immediate read. If polling is already running, reads again immediately.
   */
  start(): void {
    this.stop();
    this.#stopListening = this.#options.link.onState((state) => {
      if (state.kind === 'up') this.#begin();
    });
    this.#begin();
  }

  /** Reads immediately if `everyMs` now returns a shorter delay than after the last read. */
  hasten(): void {
    if (this.#cancel && this.#options.everyMs() < this.#waitMs) this.#begin();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#end();
  }

  #end(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #begin(): void {
    this.#end();
    if (this.#options.link.isUp) void this.#read();
  }

  async #read(): Promise<void> {
    const { clock, everyMs, read, changed } = this.#options;
    const reading = new AbortController();
    this.#reading = reading;
    try {
      await read(reading.signal);
      if (this.#reading !== reading) return;
      this.#problem = undefined;
      this.#hasRead = true;
    } catch (error) {
      if (this.#reading !== reading || isAbort(error)) return;
      this.#problem = errorMessage(error);
    }
    this.#waitMs = everyMs();
    this.#cancel = clock.after(this.#waitMs, () => void this.#read());
    changed();
  }
}
