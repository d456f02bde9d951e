/** Triggers redraws: immediately after a key press, and at most four times a second for live data. */

import type { Clock } from '../../src/base/clock.ts';

/**
 * The redraw interval for live data. Ten frames per second use 10 % of a core and four use 5 %, and users cannot read
 * more than four.
 */
export const LIVE_INTERVAL_MS = 250;
/** Changes that arrive within this time are drawn in one frame. */
const GATHER_MS = 5;

export class Changes {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** Functions that run once before the next frame, for work that is too expensive to repeat after each event. */
  readonly #preparations = new Set<() => void>();
  #version = 0;
  #cancel: (() => void) | undefined;
  #drawnAt = -LIVE_INTERVAL_MS;
  #isPreparing = false;
  #isWhole = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The subscribe function for React's `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** Redraws immediately. Called after a key press, because the user waits for its effect. */
  now(): void {
    if (this.#isPreparing) return;
    this.#prepare();
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Redraws after new data: almost immediately after a quiet period, otherwise at the next live interval together with
   * other changes.
   */
  soon(prepare?: () => void): void {
    if (prepare) this.#preparations.add(prepare);
    if (this.#cancel || this.#isPreparing) return;
    const wait = this.#drawnAt + LIVE_INTERVAL_MS - this.#clock.monotonic();
    this.#cancel = this.#clock.after(Math.max(GATHER_MS, wait), () => {
      this.#drawnAt = this.#clock.monotonic();
      this.now();
    });
  }

  /** Redraws the whole frame even if it has not changed, because the terminal has lost its content. */
  whole(): void {
    this.#isWhole = true;
    this.now();
  }

  /** Whether the next frame must be written completely, because the terminal has lost its content. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns whether `whole` was called since the previous call of `takeWhole`. */
  takeWhole(): boolean {
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    return isWhole;
  }

  /** Cancels the pending redraw and removes all listeners. */
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
