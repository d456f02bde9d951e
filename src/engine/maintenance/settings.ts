/** Settings of scrub, clock and lifecycle, and their defaults. */

import { HOUR_MS } from '../../base/durations.ts';

export interface UpkeepSettings {
  /** From the start of one scrub to the start of the next. */
  readonly scrubEveryMs: number;
  readonly scrubBytesPerSecond: number;
  /** A clock that jumps ahead by more is not trusted. */
  readonly maxClockJumpMs: number;
  /** Length of a day of lifecycle rules, for a test mode. 24 hours if absent. */
  readonly lifecycleDayMs?: number;
}

/** Monthly, at a tenth of the rate of a slow disk. A clock without synchronization can be wrong by an hour. */
export const DEFAULT_UPKEEP: UpkeepSettings = {
  scrubEveryMs: 30 * 24 * HOUR_MS,
  scrubBytesPerSecond: 16 * 1024 ** 2,
  maxClockJumpMs: HOUR_MS,
};
