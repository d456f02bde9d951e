/** What was done to the world of a soak, in order: its end is what one reads when something is lost. */

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

  /** How often `who` did something. */
  count(who: string): number {
    return this.#lines.filter((line) => line.includes(` ${who}: `)).length;
  }

  /** The last lines, and before them all that name one of `keys`: what led to a finding is seldom the last. */
  tail(count: number, keys: readonly string[] = []): readonly string[] {
    const first = Math.max(0, this.#lines.length - count);
    const names = (line: string) => keys.some((key) => line.includes(JSON.stringify(key)));
    return this.#lines.filter((line, index) => index >= first || names(line));
  }

  all(): readonly string[] {
    return this.#lines;
  }
}
