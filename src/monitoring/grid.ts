/**
 * Computes when samples are taken, and which window each sample belongs to. All windows begin at
 * multiples of their length since 1970 UTC. A sample that is taken at the end of a window belongs
 * to that window, so that an alarm is evaluated with a current sample.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/durations.ts';
import { invariant } from '../base/errors.ts';

/** A resolution at which series are stored. */
export interface Resolution {
  readonly stepMs: number;
  /**
   * The number of points that are kept for each bucket. It is a count, not an age, so that setting
   * the clock ahead deletes no points.
   */
  readonly points: number;
}

/**
 * One-second points of 3 hours (stored only if an alarm needs them), one-minute points of 15 days,
 * five-minute points of 63 days, and one-hour points of 455 days.
 */
export const RESOLUTIONS: readonly Resolution[] = [
  { stepMs: SECOND_MS, points: (3 * HOUR_MS) / SECOND_MS },
  { stepMs: MINUTE_MS, points: (15 * DAY_MS) / MINUTE_MS },
  { stepMs: 5 * MINUTE_MS, points: (63 * DAY_MS) / (5 * MINUTE_MS) },
  { stepMs: HOUR_MS, points: (455 * DAY_MS) / HOUR_MS },
];

/** The sampling interval of a bucket, unless an alarm needs a shorter one. */
export const USUAL_GRID_MS = MINUTE_MS;

/**
 * Returns whether a period may have this length. Points can make up periods of whole seconds that
 * divide a minute, and of whole minutes.
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

/**
 * Returns the longest sampling interval that divides all these periods, at most `USUAL_GRID_MS`.
 */
export function gridFor(periods: readonly number[]): number {
  return periods.reduce(greatestDivisor, USUAL_GRID_MS);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Returns the last multiple of `stepMs` at or before `at`, where the last complete window ends. */
export function lastBoundary(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}

/** Returns the start of the window to which a sample taken at `at` belongs. A window includes its end, not its start. */
export function windowStart(at: number, stepMs: number): number {
  return Math.ceil(at / stepMs) * stepMs - stepMs;
}
