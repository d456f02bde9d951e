/** Defines the settings of the scrub, the trusted time and the lifecycle rules, with their default values. */

import { HOUR_MS } from '../../base/durations.ts';

export interface UpkeepSettings {
  /** The time from the start of a scrub to the start of the next one. */
  readonly scrubEveryMs: number;
  readonly scrubBytesPerSecond: number;
  /** The maximum jump of the wall clock. A wall clock that jumps ahead further is not trusted. */
  readonly maxClockJumpMs: number;
  /** The length of a day for lifecycle rules. Tests use short days. Default: 24 hours. */
  readonly lifecycleDayMs?: number;
}

/**
 * By default, a scrub runs every 30 days, at a tenth of the rate of a slow disk. The clock may jump by an hour, because
 * an unsynchronized clock can be wrong by that much.
 */
export const DEFAULT_UPKEEP: UpkeepSettings = {
  scrubEveryMs: 30 * 24 * HOUR_MS,
  scrubBytesPerSecond: 16 * 1024 ** 2,
  maxClockJumpMs: HOUR_MS,
};
