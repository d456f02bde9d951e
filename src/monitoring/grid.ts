/**
 * Computes when samples are taken, and which window each sample belongs to. Window boundaries are multiples of the
 * window length since 1970 UTC. A sample taken at the end of a window belongs to that window, so that an alarm is
 * evaluated with a current sample.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/durations.ts';
import { invariant } from '../base/errors.ts';

/** A resolution at which series are stored. */
export interface Resolution {
  readonly stepMs: number;
  /**
   * The maximum number of points stored per bucket. Points are limited by number instead of age, so that setting the
   * clock ahead deletes no points.
   */
  readonly points: number;
}

/**
 * The stored resolutions: one-second points for 3 hours (only if an alarm needs them), one-minute points for 15 days,
 * five-minute points for 63 days, and one-hour points for 455 days.
 */
export const RESOLUTIONS: readonly Resolution[] = [
  { stepMs: SECOND_MS, points: (3 * HOUR_MS) / SECOND_MS },
  { stepMs: MINUTE_MS, points: (15 * DAY_MS) / MINUTE_MS },
  { stepMs: 5 * MINUTE_MS, points: (63 * DAY_MS) / (5 * MINUTE_MS) },
  { stepMs: HOUR_MS, points: (455 * DAY_MS) / HOUR_MS },
];

/** The sampling interval of a bucket, unless an alarm needs a shorter interval. */
export const USUAL_GRID_MS = MINUTE_MS;

/**
 * Returns whether a period may have this length. Valid periods are whole seconds that divide a minute, and whole
 * minutes, because points can be combined into such periods.
 */
export function isPeriod(periodMs: number): boolean {
  if (!Number.isInteger(periodMs) || periodMs < SECOND_MS || periodMs % SECOND_MS !== 0)
    return false;
  return MINUTE_MS % periodMs === 0 || periodMs % MINUTE_MS === 0;
}

/** Returns the coarsest resolution whose step divides the period. */
export function resolutionFor(periodMs: number): Resolution {
  const resolution = RESOLUTIONS.findLast(({ stepMs }) => periodMs % stepMs === 0);
  invariant(resolution, `choose resolution: ${periodMs} ms is not a valid period`);
  return resolution;
}

/** Returns the longest sampling interval that divides all these periods, but at most `USUAL_GRID_MS`. */
export function gridFor(periods: readonly number[]): number {
  return periods.reduce(greatestDivisor, USUAL_GRID_MS);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Returns the last multiple of `stepMs` at or before `at`. The last complete window ends there. */
export function lastBoundary(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}

/**
 * Returns the start of the window that a sample taken at `at` belongs to. A window includes its end but not its start.
 */
export function windowStart(at: number, stepMs: number): number {
  return Math.ceil(at / stepMs) * stepMs - stepMs;
}
