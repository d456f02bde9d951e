/**
 * Checks whether the watch reports all changes. If a full round finds an earlier change without an event, the folder is
 * polled from then on.
 */

import type { Clock } from '../../base/clock.ts';
import { parentOf } from '../model/local-path.ts';
import type { LocalEntry } from '../model/types.ts';

/** Maximum delay between a change and its event, in milliseconds. */
const LATE_MS = 10_000;
export const POLL_MS = 60_000;
/**
 * Maximum number of remembered paths with events. If there are more, the check is skipped until the next full round,
 * because so many events prove that the watch works.
 */
const MAX_PATHS = 100_000;

export class MissedEventsCheck {
  readonly #clock: Clock;
  #announced = new Set<string>();
  /** Paths with events from before the running round began. */
  #announcedBefore = new Set<string>();
  /** When this session's last full round began. That round handled all earlier changes. */
  #lastRoundAt: number | undefined;
  #roundAt = 0;
  #missed: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the path of a change that had no event; undefined if no event was missed. */
  missed(): string | undefined {
    return this.#missed;
  }

  announce(path: string): void {
    if (this.#announced.size <= MAX_PATHS) this.#announced.add(path);
  }

  /** Starts a new session. The folder was not watched before it, so earlier changes have no events. */
  reset(): void {
    this.#lastRoundAt = undefined;
    this.#missed = undefined;
    this.#announced.clear();
  }

  beginRound(): void {
    this.#roundAt = this.#clock.now();
    this.#announcedBefore = this.#announced;
    this.#announced = new Set();
  }

  /** Checks whether the changes that a full round found had events. */
  check(touched: Iterable<LocalEntry>): void {
    const isFull = this.#announcedBefore.size > MAX_PATHS;
    if (this.#lastRoundAt === undefined || isFull) return;
    const before = this.#clock.now() - LATE_MS;
    for (const { path, ctimeMs, kind, link } of touched) {
      // A folder's times change together with its entries. A hard-linked file can change through a name that is not
      // watched.
      if (kind === 'directory' || link !== undefined) continue;
      if (ctimeMs > this.#lastRoundAt && ctimeMs < before && !this.#isAnnounced(path))
        this.#missed ??= path;
    }
  }

  /** Ends a round. Returns the time in milliseconds until the next full round. */
  endRound(everyMs: number): number {
    this.#lastRoundAt = this.#roundAt;
    return this.#missed === undefined ? everyMs : Math.min(everyMs, POLL_MS);
  }

  /** Returns whether a change had an event. For a file in a new folder, the folder's event counts. */
  #isAnnounced(path: string): boolean {
    for (let each = path; ; each = parentOf(each)) {
      if (this.#announced.has(each) || this.#announcedBefore.has(each)) return true;
      if (each === '') return false;
    }
  }
}
