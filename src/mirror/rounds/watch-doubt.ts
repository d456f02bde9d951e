/**
 * Checks whether the watch reports all events. If a full round finds a change older than some seconds that no event
 * announced, the folder is polled from then on.
 */

import type { Clock } from '../../base/clock.ts';
import { parentOf } from '../model/local-path.ts';
import type { LocalEntry } from '../model/types.ts';

/** Events arrive at most this late. */
const LATE_MS = 10_000;
export const POLL_MS = 60_000;
/** With more paths, the check is skipped until the next full round: so many events prove that the watch works. */
const MAX_PATHS = 100_000;

export class MissedEventsCheck {
  readonly #clock: Clock;
  #announced = new Set<string>();
  /** Announced before the running round began. */
  #announcedBefore = new Set<string>();
  /** When the last full round of this session began; earlier changes were its concern. */
  #lastRoundAt: number | undefined;
  #roundAt = 0;
  #missed: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The path of a change that came without an event. */
  missed(): string | undefined {
    return this.#missed;
  }

  announce(path: string): void {
    if (this.#announced.size <= MAX_PATHS) this.#announced.add(path);
  }

  /** Starts a new session: what happened before it is unknown. */
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

  /** Checks the differences that a full round found. */
  check(touched: Iterable<LocalEntry>): void {
    const isFull = this.#announcedBefore.size > MAX_PATHS;
    if (this.#lastRoundAt === undefined || isFull) return;
    const before = this.#clock.now() - LATE_MS;
    for (const { path, ctimeMs, kind, link } of touched) {
      // A folder changes with its entries, and a file with several hard links through names that may not be
      // watched.
      if (kind === 'directory' || link !== undefined) continue;
      if (ctimeMs > this.#lastRoundAt && ctimeMs < before && !this.#isAnnounced(path))
        this.#missed ??= path;
    }
  }

  /** Returns in how many milliseconds the next full round is due. */
  endRound(everyMs: number): number {
    this.#lastRoundAt = this.#roundAt;
    return this.#missed === undefined ? everyMs : Math.min(everyMs, POLL_MS);
  }

  /** A file in a new folder is found through the folder's own event. */
  #isAnnounced(path: string): boolean {
    for (let each = path; ; each = parentOf(each)) {
      if (this.#announced.has(each) || this.#announcedBefore.has(each)) return true;
      if (each === '') return false;
    }
  }
}
