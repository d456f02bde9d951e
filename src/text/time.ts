/** Parses and formats times and durations as people write them. A time without a time zone is local. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/durations.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365 * DAY_MS,
};

const DURATION = /^(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/;
const AMOUNT = /(\d+(?:\.\d+)?)\s*([a-z]+)/g;
const UNIT_NAME =
  /^(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|d|days?|w|weeks?|y|years?)$/;
const YEARS = /^(\d{1,4})\s*(?:y|years?)$/;

/**
 * Matches a date, optionally followed by hours and minutes after `T` or a space, and by seconds, a fraction and a time
 * zone.
 */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Matches the name of a day with an optional time of day, or only a time of day. */
const NAMED =
  /^(?:(today|yesterday|(?:last\s+)?(?:sun|mon|tues|wednes|thurs|fri|satur)day)(?:\s+|$))?(?:(\d\d?):(\d\d)(?::(\d\d))?)?$/;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Parses a time. Returns milliseconds since 1970, or undefined if the text is not a time. Accepts `now`, `2h ago`, `an
 * hour ago`, `1h 30m`, `yesterday 14:00`, `last tuesday`, `14:00`, `2026-11-20`, `2026-11-20 14:00` and ISO 8601. A day
 * without a time of day means midnight. A weekday or a time of day alone means the last one before `now`.
 */
export function readTime(text: string, now: number): number | undefined {
  const lower = withNumber(text.trim().toLowerCase());
  if (lower === 'now') return now;
  const length = lower.replace(/\s+ago$/, '');
  const ago = lower === '0' ? undefined : readDuration(length);
  if (ago !== undefined) return yearsFrom(now, length, -1) ?? now - ago;
  return readInstant(text) ?? readNamed(lower, now);
}

/**
 * Parses the time of a point-in-time view, as `readTime` does. A time in whole seconds includes that second, because
 * listings show the times of versions in whole seconds.
 */
export function readViewTime(text: string, now: number): number | undefined {
  const at = readTime(text, now);
  if (at === undefined || at > now || !/:\d\d:\d\d(?![.\d])/.test(text)) return at;
  return Math.min(at + SECOND_MS - 1, now);
}

/** Parses a time as `readTime` does, but a time in the future: `30d`, `in 2 weeks`, `7y`, a date or ISO 8601. */
export function readTimeAhead(text: string, now: number): number | undefined {
  const lower = withNumber(
    text
      .trim()
      .toLowerCase()
      .replace(/^in\s+/, ''),
  );
  const ahead = readDuration(lower);
  if (ahead === undefined) return readInstant(text);
  return yearsFrom(now, lower, 1) ?? now + ahead;
}

/** Replaces the article in `an hour ago` by the number 1. */
function withNumber(text: string): string {
  return text.replace(/^an?\s+/, '1 ');
}

/** Adds or subtracts calendar years. Returns undefined if the text is not a number of years. */
function yearsFrom(now: number, text: string, sign: 1 | -1): number | undefined {
  const years = YEARS.exec(text)?.[1];
  if (years === undefined) return undefined;
  const date = new Date(now);
  return date.setFullYear(date.getFullYear() + sign * Number(years));
}

/**
 * Parses a duration: `24h`, `1h 30m`, `1.5 d`, `2 weeks`, `7y` (of 365 days each) or `0`. Returns milliseconds, or
 * undefined for any other text.
 */
export function readDuration(text: string): number | undefined {
  const lower = text.trim().toLowerCase();
  if (lower === '0') return 0;
  if (!DURATION.test(lower)) return undefined;
  let ms = 0;
  for (const [, count, unit = ''] of lower.matchAll(AMOUNT)) {
    if (!UNIT_NAME.test(unit)) return undefined;
    ms += Number(count) * (UNITS_MS[unit.charAt(0)] ?? Number.NaN);
  }
  return Math.round(ms);
}

/** Parses a date with an optional time of day, or ISO 8601. */
export function readInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text.trim());
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const fields = [year, month - 1, day, hour, minute, second] as const;
  if (!exists(fields)) return undefined;
  const ms = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1_000);
  const zone = parts[8];
  if (zone === undefined) return new Date(...fields).getTime() + ms;
  return Date.UTC(...fields) + ms - zoneOffsetMs(zone);
}

function readNamed(text: string, now: number): number | undefined {
  const [whole, day, hour, minute = '0', second = '0'] = NAMED.exec(text) ?? [];
  if (!whole) return undefined;
  const clock = [Number(hour ?? 0), Number(minute), Number(second)] as const;
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined;
  const date = new Date(now);
  date.setHours(...clock, 0);
  if (day === 'yesterday') return date.setDate(date.getDate() - 1);
  if (day === 'today') return date.getTime();
  if (day === undefined)
    return date.getTime() > now ? date.setDate(date.getDate() - 1) : date.getTime();
  const back = (date.getDay() - WEEKDAYS.indexOf(day.replace(/^last\s+/, '')) + 7) % 7;
  const isToday = back === 0 && !day.startsWith('last') && date.getTime() <= now;
  return date.setDate(date.getDate() - (isToday ? 0 : back || 7));
}

type Fields = readonly [number, number, number, number, number, number];

/** Returns whether a date and time exist. Rejects 31 November and 25:00, which `Date` would convert to a later time. */
function exists(fields: Fields): boolean {
  const date = new Date(Date.UTC(...fields));
  const [year, month, day, hour, minute, second] = fields;
  const carried = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const inDay = hour < 24 && minute < 60 && second < 60;
  return inDay && carried[0] === year && carried[1] === month && carried[2] === day;
}

function zoneOffsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  const ms = hours * 3_600_000 + minutes * 60_000;
  return zone.startsWith('-') ? -ms : ms;
}

/** Formats a duration with one or two units: `0.4 s`, `21 s`, `2 min 5 s`, `3 h 4 min`, `5 d 2 h`. */
export function durationText(ms: number): string {
  const seconds = ms / SECOND_MS;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return pair(whole, ['min', 60], ['s', 1]);
  if (whole < 86_400) return pair(whole, ['h', 3_600], ['min', 60]);
  return pair(whole, ['d', 86_400], ['h', 3_600]);
}

/** The shortest duration that `tookText` shows. */
const MIN_SHOWN_MS = 1_000;

/**
 * Returns ` in 12 s`, to be appended to a message about finished work. Returns an empty text for less than a second.
 */
export function tookText(ms: number): string {
  return ms < MIN_SHOWN_MS ? '' : ` in ${durationText(ms)}`;
}

function pair(seconds: number, large: [string, number], small: [string, number]): string {
  const rest = Math.floor((seconds % large[1]) / small[1]);
  const first = `${Math.floor(seconds / large[1])} ${large[0]}`;
  return rest === 0 ? first : `${first} ${rest} ${small[0]}`;
}

/** Formats a rounded duration with one unit and at most six characters: `0.4 s`, `99 s`, `5 min`, `47 h`, `12 d`. */
export function shortDurationText(ms: number): string {
  const seconds = ms / SECOND_MS;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5_970) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Formats a date in the local time zone: `2026-11-21`. */
export function dayText(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
}

/** Formats a date in UTC: `2026-11-21`. Used for lifecycle rules and the days of locks, which are in UTC. */
export function utcDayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Formats a time of day in the local time zone: `14:03:22`. */
export function clockText(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** Formats a date and time in the local time zone: `2026-11-21 14:03:22`. */
export function timeText(at: number): string {
  return `${dayText(at)} ${clockText(at)}`;
}

/** Formats a date and time without seconds in the local time zone: `2026-11-21 14:03`. */
export function minuteText(at: number): string {
  return timeText(at).slice(0, -3);
}

/** Formats a time on the current day as a time of day, and any other time as month and day: `14:03:22` or `11-20`. */
export function recentText(at: number, now: number): string {
  return dayText(at) === dayText(now) ? clockText(at) : dayText(at).slice(-5);
}

/** Formats a date and time in the local time zone, followed by the zone: `2026-11-21 14:03:22 +01:00`. */
export function zonedTimeText(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const ahead = Math.abs(minutes);
  const zone = [Math.floor(ahead / 60), ahead % 60].map(two).join(':');
  return `${timeText(at)} ${minutes < 0 ? '-' : '+'}${zone}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
