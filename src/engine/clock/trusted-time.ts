/**
 * Calculates the trusted time, which decides about locks and ages (semantics B.4). It follows the wall clock, but never
 * goes back, and does not follow a jump ahead beyond the limit. After such a jump it advances with the monotonic clock
 * until a user confirms the wall clock, or the wall clock is close to it again. So neither a wrong clock nor a corrected
 * one ends a retention or expires an object early.
 *
 * Sleep of the machine and time while Holdfast does not run are not jumps, because the uptime of the machine proves them.
 * If the machine was off, only its wall clock knows for how long.
 */

import type { Database } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import type { ReadUptime, Uptime } from './uptime.ts';

export interface TrustedInstant {
  /** Milliseconds since 1970 UTC. */
  readonly trustedNow: number;
  /** How far the wall clock is ahead of `trustedNow`, if that is more than the maximum jump; otherwise 0. */
  readonly clockAheadMs: number;
  readonly clock: WallClock;
}

/**
 * The state of the wall clock. `believed`: it is normal, or came back from a jump. `upheld`: it jumped, and a user
 * confirmed it or the maximum jump now allows it. `jumped`: it was seen to jump ahead. `ahead`: it jumped, or time passed
 * unobserved.
 */
export type WallClock = 'believed' | 'upheld' | 'jumped' | 'ahead';

/** The state that is stored for the next run. */
export interface RememberedTime {
  readonly trustedAt: number;
  /** The uptime at `trustedAt`. Undefined if it is unknown. */
  readonly boot?: Uptime | undefined;
}

interface TrustedTimeOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly uptime: ReadUptime;
  readonly maxJumpMs: number;
  /** Undefined for a store that never stored a trusted time. */
  readonly remembered: RememberedTime | undefined;
}

/**
 * A doubted wall clock that is ahead by at most this much has come back from its jump. If it is further ahead, but within
 * the maximum jump, the jump counts as confirmed.
 */
const CAME_BACK_MS = 60 * 60 * 1000;

/**
 * The minimum interval between two reads of the uptime. Without it, every `read` would make system calls while the wall
 * clock is not trusted.
 */
const ASK_UPTIME_EVERY_MS = 1000;

export class TrustedTime {
  readonly #options: TrustedTimeOptions;
  /** The trusted time with fractions of milliseconds, because the rounding errors of many reads would add up. */
  #at: number;
  #readAt: number;
  /** A trusted time and the uptime at that time, if it is known. A later uptime shows how long the machine slept. */
  #anchor: RememberedTime;
  #askedAt = Number.NEGATIVE_INFINITY;
  #clock: WallClock = 'ahead';
  /** Whether all time since the wall clock was last trusted was observed, so that its lead must be a jump. */
  #isSeen: boolean;

  constructor(options: TrustedTimeOptions) {
    const { clock, uptime, remembered } = options;
    this.#options = options;
    const anchor = remembered ?? { trustedAt: clock.now() };
    const boot = uptime();
    this.#at = anchor.trustedAt + upBetween(anchor.boot, boot);
    this.#readAt = clock.monotonic();
    this.#anchor = { trustedAt: this.#at, boot };
    this.#isSeen = boot !== undefined && (!remembered || remembered.boot?.id === boot.id);
  }

  read(): TrustedInstant {
    const { clock, maxJumpMs } = this.#options;
    const wall = clock.now();
    const monotonic = clock.monotonic();
    this.#at += monotonic - this.#readAt;
    this.#readAt = monotonic;
    if (wall - this.#at > maxJumpMs) this.#addSleep(monotonic);
    const aheadMs = wall - this.#at;
    this.#judge(aheadMs);
    if (aheadMs <= maxJumpMs) this.#at = Math.max(this.#at, wall);
    const trustedNow = Math.round(this.#at);
    const clockAheadMs = aheadMs <= maxJumpMs ? 0 : wall - trustedNow;
    return { trustedNow, clockAheadMs, clock: this.#clock };
  }

  #judge(aheadMs: number): void {
    const isDoubted = this.#clock === 'jumped' || this.#clock === 'ahead';
    if (aheadMs > this.#options.maxJumpMs) this.#clock = this.#isSeen ? 'jumped' : 'ahead';
    else if (isDoubted) this.#clock = aheadMs <= CAME_BACK_MS ? 'believed' : 'upheld';
    if (aheadMs <= this.#options.maxJumpMs) this.#isSeen = this.#anchor.boot !== undefined;
  }

  /** Returns the state from which the next run continues. */
  remember(): RememberedTime {
    const { trustedNow } = this.read();
    this.#anchor = { trustedAt: trustedNow, boot: this.#options.uptime() };
    return this.#anchor;
  }

  /** Sets the trusted time to the wall clock, which a user has confirmed, whether it is ahead or behind. */
  trustClock(): void {
    this.#at = this.#options.clock.now();
    this.#readAt = this.#options.clock.monotonic();
    this.#anchor = { trustedAt: this.#at, boot: this.#options.uptime() };
    this.#clock = 'upheld';
  }

  /** Adds the time that the machine slept. The monotonic clock stops during sleep; the uptime does not. */
  #addSleep(monotonic: number): void {
    if (monotonic - this.#askedAt < ASK_UPTIME_EVERY_MS) return;
    this.#askedAt = monotonic;
    const { trustedAt, boot } = this.#anchor;
    this.#at = Math.max(this.#at, trustedAt + upBetween(boot, this.#options.uptime()));
  }
}

/** Returns the milliseconds between two uptimes, or 0 if one is unknown or the machine was restarted between them. */
function upBetween(before: Uptime | undefined, after: Uptime | undefined): number {
  if (!before || !after || before.id !== after.id) return 0;
  return Math.max(0, after.upMs - before.upMs);
}

/** Reads the state that the last run stored. Returns undefined if no trusted time is stored. */
export function rememberedTime(database: Database): RememberedTime | undefined {
  const row = database
    .prepare<[], RememberedRow>(
      'SELECT trusted_at AS trustedAt, trusted_boot AS id, trusted_uptime AS upMs FROM upkeep',
    )
    .get();
  if (!row || row.trustedAt === null) return undefined;
  const { trustedAt, id, upMs } = row;
  return { trustedAt, boot: id === null || upMs === null ? undefined : { id, upMs } };
}

interface RememberedRow {
  readonly trustedAt: number | null;
  readonly id: string | null;
  readonly upMs: number | null;
}
