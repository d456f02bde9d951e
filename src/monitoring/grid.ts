/**
 * The grid in time: when samples are taken, and which window each belongs to. All windows begin at multiples of their
 * length since 1970 UTC. A sample taken at the end of a window tells of that window, so that what is judged then is
 * not a window old already.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/durations.ts';
import { invariant } from '../base/errors.ts';

/** How finely the series is kept, and for how many points. */
export interface Resolution {
  readonly stepMs: number;
  /** Of each bucket; the oldest go first. Counted, not dated: a clock that is set ahead loses nothing. */
  readonly points: number;
}

/** 3 hours of seconds (where an alarm asks for them), 15 days of minutes, 63 days of five, 455 days of hours. */
export const RESOLUTIONS: readonly Resolution[] = [
  { stepMs: SECOND_MS, points: (3 * HOUR_MS) / SECOND_MS },
  { stepMs: MINUTE_MS, points: (15 * DAY_MS) / MINUTE_MS },
  { stepMs: 5 * MINUTE_MS, points: (63 * DAY_MS) / (5 * MINUTE_MS) },
  { stepMs: HOUR_MS, points: (455 * DAY_MS) / HOUR_MS },
];

/** Without an alarm that wants more. */
export const USUAL_GRID_MS = MINUTE_MS;

/** Whether windows of that length can be made of points: a divisor of a minute in whole seconds, or whole minutes. */
export function isPeriod(periodMs: number): boolean {
  if (!Number.isInteger(periodMs) || periodMs < SECOND_MS || periodMs % SECOND_MS !== 0)
    return false;
  return MINUTE_MS % periodMs === 0 || periodMs % MINUTE_MS === 0;
}

/** The coarsest resolution whose points make up windows of that length. */
export function resolutionFor(periodMs: number): Resolution {
  const resolution = RESOLUTIONS.findLast(({ stepMs }) => periodMs % stepMs === 0);
  invariant(resolution, `choose resolution: ${periodMs} ms are no period`);
  return resolution;
}

/** The grid that serves all these periods. */
export function gridFor(periods: readonly number[]): number {
  return periods.reduce(greatestDivisor, USUAL_GRID_MS);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The last multiple of `stepMs` at or before `at`: where a window ends that is over. */
export function lastBoundary(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}

/** Where the window begins that a sample taken at the boundary `at` tells of: the one that ends there, or is under way. */
export function windowStart(at: number, stepMs: number): number {
  return Math.ceil(at / stepMs) * stepMs - stepMs;
}
