/** How a store cares for itself, where nothing else is said. */

import { HOUR_MS } from '../../base/durations.ts';

export interface UpkeepSettings {
  /** From the beginning of one scrub to that of the next. */
  readonly scrubEveryMs: number;
  readonly scrubBytesPerSecond: number;
  /** A clock that jumps further ahead is not believed. */
  readonly maxClockJumpMs: number;
  /** How long a day of lifecycle rules is, in a test mode; absent: a day. */
  readonly lifecycleDayMs?: number;
}

/** Monthly, at a tenth of what a slow disk reads. An hour is what a clock may be wrong by that nobody has looked at. */
export const DEFAULT_UPKEEP: UpkeepSettings = {
  scrubEveryMs: 30 * 24 * HOUR_MS,
  scrubBytesPerSecond: 16 * 1024 ** 2,
  maxClockJumpMs: HOUR_MS,
};
