/** Notifies the renderer of changes: at once after a key, and at most four times a second for live data. */

import type { Clock } from '../../src/base/clock.ts';

/** Ten frames per second cost 10 % of a core, four cost 5 %, and more are not readable. */
export const LIVE_INTERVAL_MS = 250;
/** What comes together is drawn together. */
const GATHER_MS = 5;

export class Changes {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** Done once before the next drawing: what need not be done for each of a thousand events. */
  readonly #preparations = new Set<() => void>();
  #version = 0;
  #cancel: (() => void) | undefined;
  #drawnAt = -LIVE_INTERVAL_MS;
  #isPreparing = false;
  #isWhole = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `useSyncExternalStore` takes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** After a key press: the user waits for the effect. */
  now(): void {
    if (this.#isPreparing) return;
    this.#prepare();
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Data came: drawn at once after a quiet time, else with what else comes meanwhile. */
  soon(prepare?: () => void): void {
    if (prepare) this.#preparations.add(prepare);
    if (this.#cancel || this.#isPreparing) return;
    const wait = this.#drawnAt + LIVE_INTERVAL_MS - this.#clock.monotonic();
    this.#cancel = this.#clock.after(Math.max(GATHER_MS, wait), () => {
      this.#drawnAt = this.#clock.monotonic();
      this.now();
    });
  }

  /** The terminal has lost its picture: it is sent all of it, though nothing has changed. */
  whole(): void {
    this.#isWhole = true;
    this.now();
  }

  /** Whether that was asked for since it was last taken. */
  takeWhole(): boolean {
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    return isWhole;
  }

  /** For tests and for the end: nothing is drawn any more. */
  close(): void {
    this.#cancel?.();
    this.#listeners.clear();
  }

  #prepare(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isPreparing = true;
    try {
      for (const prepare of this.#preparations) {
        this.#preparations.delete(prepare);
        prepare();
      }
    } finally {
      this.#isPreparing = false;
    }
  }
}
