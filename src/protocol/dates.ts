/** Formats and parses the dates of the protocol. All times are in milliseconds since 1970, UTC. */

import { isCalendarDay } from '../base/calendar-day.ts';

/**
 * Formats a time in the preferred form of RFC 9110 §5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`. Truncates the time
 * to whole seconds.
 */
export function formatHttpDate(at: number): string {
  return new Date(at).toUTCString();
}

const HTTP_DATE = /^[A-Z][a-z]{2,8},? [A-Za-z0-9 :-]{17,22}(?: GMT)?$/;

/**
 * Parses a date in any of the three forms that recipients must accept (RFC 9110). Returns undefined if the text is not
 * a valid date.
 */
export function parseHttpDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/** Formats a time as in listings and locks, such as `2026-11-21T04:21:19.000Z` (semantics B.17). */
export function formatIsoDate(at: number): string {
  const sinceMinute = at % MINUTE;
  // Most dates in a listing fall into the same minute. Without this cache, creating a `Date` for each entry took a
  // third of the time to write the page.
  if (at - sinceMinute !== minute.at || sinceMinute < 0) {
    const text = new Date(at).toISOString();
    if (sinceMinute >= 0) minute = { at: at - sinceMinute, text: text.slice(0, -'00.000Z'.length) };
    return text;
  }
  const thousandths = String(Math.trunc(sinceMinute)).padStart(5, '0');
  return `${minute.text}${thousandths.slice(0, 2)}.${thousandths.slice(2)}Z`;
}

const MINUTE = 60_000;
/** The cached text of the minute that was formatted last. */
let minute = { at: Number.NaN, text: '' };

const ISO_DATE =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2}))?$/;

/** Matches the date form that listings use. This fast path exists because a page has up to 1,000 dates. */
const LISTED_DATE = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{3})Z$/;
/** The cached day that was parsed last, because most dates in a listing fall on the same day. */
let lastDay = { text: '', at: Number.NaN };

/**
 * Parses an ISO 8601 date and time with `Z` or an offset, with or without a fraction. Also accepts a date without a
 * time, which means midnight UTC. Returns undefined if the text is not a valid date.
 */
export function parseIsoDate(text: string): number | undefined {
  const [, listedDay, ...parts] = LISTED_DATE.exec(text) ?? [];
  if (listedDay !== undefined) {
    if (lastDay.text !== listedDay) {
      if (!isCalendarDay(listedDay)) return undefined;
      lastDay = { text: listedDay, at: Date.parse(listedDay) };
    }
    const [hours = 0, minutes = 0, seconds = 0, thousandths = 0] = parts.map(Number);
    return lastDay.at + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + thousandths;
  }
  const match = ISO_DATE.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  if (!isCalendarDay(day)) return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const at = Date.parse(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}
