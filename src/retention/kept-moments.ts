/**
 * The moments that a job can be brought back to, by its `keep`: every one of late, and of earlier times the beginning of
 * each day, week (Monday) and month in UTC. Days to come forget moments and add none: one that is not kept never was.
 */

import { DAY_MS } from '../base/durations.ts';
import type { KeepRule } from '../mirror/model/types.ts';

/** From `from` on, and before `to`; milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const WEEK_MS = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

export function hasKeptMoment({ all, ...beginnings }: KeepRule, now: number, span: Span): boolean {
  if (span.to > now - all) return true;
  const isKept = (backMs: number | undefined, next: (time: number) => number) =>
    backMs !== undefined && next(Math.max(span.from, now - backMs)) < span.to;
  const { daily, weekly, monthly } = beginnings;
  return isKept(daily, nextDay) || isKept(weekly, nextMonday) || isKept(monthly, nextMonth);
}

/** The time itself, if it is the beginning of a day. */
function nextDay(time: number): number {
  return Math.ceil(time / DAY_MS) * DAY_MS;
}

function nextMonday(time: number): number {
  return Math.ceil((time - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const begun = Date.UTC(year, month);
  return begun === time ? time : Date.UTC(year, month + 1);
}
