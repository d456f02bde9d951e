/** Declares the settings of scrub, clock and lifecycle, and their default values. */

import { HOUR_MS } from '../../base/durations.ts';

export interface UpkeepSettings {
  /** The time from the start of one scrub to the start of the next. */
  readonly scrubEveryMs: number;
  readonly scrubBytesPerSecond: number;
  /** The maximum jump of the wall clock. A clock that jumps ahead by more is not trusted. */
  readonly maxClockJumpMs: number;
  /** Length of a day of lifecycle rules, for a test mode. 24 hours if absent. */
  readonly lifecycleDayMs?: number;
}

/** Scrubs run monthly, at a tenth of the rate of a slow disk. A clock without synchronization can be wrong by an hour. */
export const DEFAULT_UPKEEP: UpkeepSettings = {
  scrubEveryMs: 30 * 24 * HOUR_MS,
  scrubBytesPerSecond: 16 * 1024 ** 2,
  maxClockJumpMs: HOUR_MS,
};
