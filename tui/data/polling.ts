/** Reads data for which the daemon sends no events, repeatedly while it is visible. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { DaemonLink } from './daemon-link.ts';

interface PollingOptions {
  readonly clock: Clock;
  readonly link: DaemonLink;
  /** Milliseconds until it is read again, after each answer. */
  readonly everyMs: () => number;
  /** Reads, and keeps what it read. */
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** Called after each reading, that has failed or not. */
  readonly changed: () => void;
}

export class Polling {
  readonly #options: PollingOptions;
  #reading: AbortController | undefined;
  #cancel: (() => void) | undefined;
  #stopListening: (() => void) | undefined;
  #problem: string | undefined;
  #hasRead = false;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  /** Why the last reading failed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Nothing was read yet. */
  get isFirst(): boolean {
    return !this.#hasRead && this.#problem === undefined;
  }

  /** Reads now, and from then on; called again it reads at once. */
  start(): void {
    this.stop();
    this.#stopListening = this.#options.link.onState((state) => {
      if (state.kind === 'up') this.#begin();
    });
    this.#begin();
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
    this.#cancel = clock.after(everyMs(), () => void this.#read());
    changed();
  }
}
