/** The log of everything that a soak run does, in order. The end of the log shows the cause of a data loss. */

import { systemClock } from '../../src/base/clock.ts';

export class History {
  readonly #startedAt = systemClock.monotonic();
  readonly #lines: string[] = [];
  readonly #onLine: ((line: string) => void) | undefined;

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(who: string, what: string): void {
    const seconds = (systemClock.monotonic() - this.#startedAt) / 1000;
    const line = `${seconds.toFixed(3).padStart(8)} ${who}: ${what}`;
    this.#lines.push(line);
    this.#onLine?.(line);
  }

  /** Returns the number of log entries by the source `who`, such as `chaos`. */
  count(who: string): number {
    return this.#lines.filter((line) => line.includes(` ${who}: `)).length;
  }

  /**
   * Returns the last `count` lines, and all earlier lines that contain one of the `keys`, because the cause may be
   * older.
   */
  tail(count: number, keys: readonly string[] = []): readonly string[] {
    const first = Math.max(0, this.#lines.length - count);
    const names = (line: string) => keys.some((key) => line.includes(JSON.stringify(key)));
    return this.#lines.filter((line, index) => index >= first || names(line));
  }

  all(): readonly string[] {
    return this.#lines;
  }
}
