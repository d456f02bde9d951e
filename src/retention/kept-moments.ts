/**
 * Decides which past points in time the `keep` rule of a job retains. The rule retains every recent point in time. For
 * earlier times, it retains the start of each hour, day, week (Monday) and month in UTC. A point in time that is not
 * retained now will never be retained later.
 */

import { DAY_MS, HOUR_MS } from '../base/durations.ts';
import type { KeepRule } from '../mirror/model/types.ts';

/** A time range in milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const WEEK_MS = 7 * DAY_MS;
/** The start of the first Monday after 1 January 1970 (a Thursday). */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export function hasKeptMoment({ all, ...periods }: KeepRule, now: number, span: Span): boolean {
  if (span.to > now - all) return true;
  const hasKept = (keptMs: number | undefined, next: (time: number) => number) =>
    keptMs !== undefined && next(Math.max(span.from, now - keptMs)) < span.to;
  const { hourly, daily, weekly, monthly } = periods;
  if (hasKept(hourly, nextHour)) return true;
  return hasKept(daily, nextDay) || hasKept(weekly, nextMonday) || hasKept(monthly, nextMonth);
}

function nextHour(time: number): number {
  return Math.ceil(time / HOUR_MS) * HOUR_MS;
}

/** Returns the first start of a UTC day at or after `time`. */
function nextDay(time: number): number {
  return Math.ceil(time / DAY_MS) * DAY_MS;
}

function nextMonday(time: number): number {
  return Math.ceil((time - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const start = Date.UTC(year, month);
  return start === time ? time : Date.UTC(year, month + 1);
}
