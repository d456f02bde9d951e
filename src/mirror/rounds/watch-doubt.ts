/**
 * Whether the watch tells what happens: a full round that finds a change older than some seconds, which no event
 * announced, says no. From then on the folder is polled.
 */

import type { Clock } from '../../base/clock.ts';
import { parentOf } from '../model/local-path.ts';
import type { LocalEntry } from '../model/types.ts';

/** Events are this late at most. */
const LATE_MS = 10_000;
export const POLL_MS = 60_000;
/** Beyond it nothing is doubted until the next full round: a tree that changes so much is told of. */
const REMEMBERED_PATHS = 100_000;

export class MissedEventsCheck {
  readonly #clock: Clock;
  #announced = new Set<string>();
  /** Before the round that is running began. */
  #announcedBefore = new Set<string>();
  /** When the last full round of this session began; what changed before was its matter. */
  #lastRoundAt: number | undefined;
  #roundAt = 0;
  #missed: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change that came without an event. */
  missed(): string | undefined {
    return this.#missed;
  }

  announce(path: string): void {
    if (this.#announced.size <= REMEMBERED_PATHS) this.#announced.add(path);
  }

  /** Of a new session: nobody knows what happened before it. */
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

  /** Of a full round: what is not as it was mirrored. */
  look(touched: Iterable<LocalEntry>): void {
    const isFull = this.#announcedBefore.size > REMEMBERED_PATHS;
    if (this.#lastRoundAt === undefined || isFull) return;
    const before = this.#clock.now() - LATE_MS;
    for (const { path, ctimeMs, kind, link } of touched) {
      // A folder changes with what is in it; a file with several names by those that nobody watches.
      if (kind === 'directory' || link !== undefined) continue;
      if (ctimeMs > this.#lastRoundAt && ctimeMs < before && !this.#isAnnounced(path))
        this.#missed ??= path;
    }
  }

  /** Returns in how many milliseconds the next one is due. */
  endRound(everyMs: number): number {
    this.#lastRoundAt = this.#roundAt;
    return this.#missed === undefined ? everyMs : Math.min(everyMs, POLL_MS);
  }

  /** What is in a new folder is found by the folder's own event. */
  #isAnnounced(path: string): boolean {
    for (let each = path; ; each = parentOf(each)) {
      if (this.#announced.has(each) || this.#announcedBefore.has(each)) return true;
      if (each === '') return false;
    }
  }
}
