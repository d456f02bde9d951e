/**
 * Checks whether the watch reports all changes. If a full round finds an older change that no event announced, the
 * folder is polled from then on.
 */

import type { Clock } from '../../base/clock.ts';
import { parentOf } from '../model/local-path.ts';
import type { LocalEntry } from '../model/types.ts';

/** Maximum delay of an event after its change. */
const LATE_MS = 10_000;
export const POLL_MS = 60_000;
/**
 * Maximum number of announced paths. If there are more, the check is skipped until the next full round, because so many
 * events prove that the watch works.
 */
const MAX_PATHS = 100_000;

export class MissedEventsCheck {
  readonly #clock: Clock;
  #announced = new Set<string>();
  /** Paths that were announced before the running round began. */
  #announcedBefore = new Set<string>();
  /** When the last full round of this session began. It handled all earlier changes. */
  #lastRoundAt: number | undefined;
  #roundAt = 0;
  #missed: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the path of a change that no event announced; undefined if there is none. */
  missed(): string | undefined {
    return this.#missed;
  }

  announce(path: string): void {
    if (this.#announced.size <= MAX_PATHS) this.#announced.add(path);
  }

  /** Starts a new session. Changes before it were not watched. */
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

  /** Checks whether the changes that a full round found were announced. */
  check(touched: Iterable<LocalEntry>): void {
    const isFull = this.#announcedBefore.size > MAX_PATHS;
    if (this.#lastRoundAt === undefined || isFull) return;
    const before = this.#clock.now() - LATE_MS;
    for (const { path, ctimeMs, kind, link } of touched) {
      // A folder's times change with its entries. A hard-linked file can change through names that are not watched.
      if (kind === 'directory' || link !== undefined) continue;
      if (ctimeMs > this.#lastRoundAt && ctimeMs < before && !this.#isAnnounced(path))
        this.#missed ??= path;
    }
  }

  /** Ends a round. Returns the number of milliseconds until the next full round. */
  endRound(everyMs: number): number {
    this.#lastRoundAt = this.#roundAt;
    return this.#missed === undefined ? everyMs : Math.min(everyMs, POLL_MS);
  }

  /** Returns whether a change was announced. A file in a new folder is announced by the event of the folder. */
  #isAnnounced(path: string): boolean {
    for (let each = path; ; each = parentOf(each)) {
      if (this.#announced.has(each) || this.#announcedBefore.has(each)) return true;
      if (each === '') return false;
    }
  }
}
