/**
 * Calculates the trusted time, by which locks end and objects expire (semantics B.4). The trusted time follows the wall
 * clock, but never goes back, and does not follow a jump ahead that exceeds a limit. After such a jump it advances with
 * the monotonic clock until a user confirms the wall clock, or the wall clock is close to the trusted time again. So
 * neither a wrong clock nor a corrected one ends a retention or expires an object early.
 *
 * Time during which the machine slept or Holdfast did not run is not a jump, because the uptime of the machine proves
 * that it passed. If the machine was off, only its wall clock knows for how long.
 */

import type { Database } from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import type { ReadUptime, Uptime } from './uptime.ts';

export interface TrustedInstant {
  /** The trusted time, in milliseconds since 1970 UTC. */
  readonly trustedNow: number;
  /** The milliseconds by which the wall clock is ahead of `trustedNow`; 0 if that is within the maximum jump. */
  readonly clockAheadMs: number;
  readonly clock: WallClock;
}

/**
 * The state of the wall clock. `believed`: it is normal, or came back from a jump. `upheld`: it jumped ahead, and a
 * user confirmed it or the maximum jump now permits it. `jumped`: it was observed to jump ahead. `ahead`: it is ahead,
 * but may be right, because not all time was observed.
 */
export type WallClock = 'believed' | 'upheld' | 'jumped' | 'ahead';

/** The trusted time as stored for the next start of the store. */
export interface RememberedTime {
  readonly trustedAt: number;
  /** The uptime of the machine at `trustedAt`; undefined if it is unknown. */
  readonly boot?: Uptime | undefined;
}

interface TrustedTimeOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly uptime: ReadUptime;
  readonly maxJumpMs: number;
  /** The state that the last run stored; undefined if no trusted time was ever stored. */
  readonly remembered: RememberedTime | undefined;
}

/**
 * After a jump, a wall clock that is ahead by at most this time has been corrected. If it is further ahead, but within
 * the maximum jump, the jump counts as confirmed.
 */
const CAME_BACK_MS = 60 * 60 * 1000;

/**
 * The minimum interval between two reads of the machine's uptime. Without it, every `read` would make system calls
 * while the wall clock is not trusted.
 */
const ASK_UPTIME_EVERY_MS = 1000;

export class TrustedTime {
  readonly #options: TrustedTimeOptions;
  /**
   * The trusted time. It includes fractions of milliseconds, because the rounding errors of many reads would add up.
   */
  #at: number;
  #readAt: number;
  /**
   * An earlier trusted time with the uptime of the machine at that time, if known. The difference to a later uptime
   * shows how long the machine slept.
   */
  #anchor: RememberedTime;
  #askedAt = Number.NEGATIVE_INFINITY;
  #clock: WallClock = 'ahead';
  /**
   * Whether Holdfast has observed all time since it last trusted the wall clock. If so, a wall clock that is ahead must
   * have jumped.
   */
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

  /** Returns the trusted time and the uptime from which the next start of the store continues. */
  remember(): RememberedTime {
    const { trustedNow } = this.read();
    this.#anchor = { trustedAt: trustedNow, boot: this.#options.uptime() };
    return this.#anchor;
  }

  /** Sets the trusted time to the wall clock, ahead or behind, because a user has confirmed the wall clock. */
  trustClock(): void {
    this.#at = this.#options.clock.now();
    this.#readAt = this.#options.clock.monotonic();
    this.#anchor = { trustedAt: this.#at, boot: this.#options.uptime() };
    this.#clock = 'upheld';
  }

  /** Adds the time that the machine slept. The monotonic clock stops during sleep, but the uptime does not. */
  #addSleep(monotonic: number): void {
    if (monotonic - this.#askedAt < ASK_UPTIME_EVERY_MS) return;
    this.#askedAt = monotonic;
    const { trustedAt, boot } = this.#anchor;
    this.#at = Math.max(this.#at, trustedAt + upBetween(boot, this.#options.uptime()));
  }
}

/**
 * Returns the milliseconds between two uptimes. Returns 0 if one is unknown or the machine was restarted between them.
 */
function upBetween(before: Uptime | undefined, after: Uptime | undefined): number {
  if (!before || !after || before.id !== after.id) return 0;
  return Math.max(0, after.upMs - before.upMs);
}

/** Reads the trusted time that the last run stored, or undefined if none is stored. */
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
