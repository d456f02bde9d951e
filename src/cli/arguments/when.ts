/** Points in time and durations as people type them, for `--at` and `--grace`. */

import { usageError } from '../output/command-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** `2h ago`, `1h 30m ago`, `2 hours ago`. */
const AGO = /^((?:\d+\s*[a-z]+\s*)+)\bago$/;
/** `in 30d`, `in 2 weeks`. */
const AHEAD = /^in\s+((?:\d+\s*[a-z]+\s*)+)$/;
/** The last that every reader of a date knows. */
const MAX_TIME = Date.UTC(9999, 11, 31);
const DURATION = /^(?:\d+\s*[a-z]+\s*)+$/;
const AMOUNT = /(\d+)\s*([a-z]+)/g;
const UNIT_NAME = /^(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)$/;

/** A date, then hours and minutes after `T` or a space, then seconds, a fraction and a zone if you like. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

const HINT = 'write "2h ago", "1 day ago", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z';

/**
 * Milliseconds since 1970; `now` too. Without a zone the time is local; a date alone is its first moment.
 * Throws a usage error for anything else, and for a time after `latest`.
 */
export function parseWhen(text: string, now: number, latest = now): number {
  const trimmed = text.trim();
  const at = ago(trimmed.toLowerCase(), now) ?? instant(trimmed);
  if (at === undefined) throw usageError(`invalid time "${text}"`, HINT);
  if (at > latest) throw usageError(`invalid time "${text}": it is in the future`, HINT);
  return at;
}

/** As `parseWhen`, or a time that is still to come, which may be written `in 30d`. */
export function parseAnyWhen(text: string, now: number): number {
  const ahead = AHEAD.exec(text.trim().toLowerCase())?.[1];
  const ms = ahead === undefined ? undefined : sumOf(ahead);
  return ms === undefined ? parseWhen(text, now, MAX_TIME) : now + ms;
}

/** As `parseWhen`, for a time that is to come. */
export function parseUntil(text: string, now: number): number {
  const hint = 'write 2027-12-31, 2027-12-31T12:00:00Z or "2027-12-31 12:00" (local time)';
  const at = instant(text.trim());
  if (at === undefined) throw usageError(`invalid time "${text}"`, hint);
  if (at <= now) throw usageError(`invalid time "${text}": it is not in the future`, hint);
  return at;
}

/** Milliseconds of `24h`, `1h 30m`, `2 weeks` or `0`. Throws a usage error for anything else, and beyond `maxMs`. */
export function parseDuration(text: string, maxMs: number): number {
  const trimmed = text.trim().toLowerCase();
  const ms = trimmed === '0' ? 0 : DURATION.test(trimmed) ? sumOf(trimmed) : undefined;
  if (ms === undefined) throw usageError(`invalid duration "${text}"`, 'write 30m, 24h or 7d');
  if (ms <= maxMs) return ms;
  const most = `${maxMs / 86_400_000}d`;
  throw usageError(`invalid duration "${text}": the maximum is ${most}`, `write ${most} or less`);
}

function ago(text: string, now: number): number | undefined {
  if (text === 'now') return now;
  const amounts = AGO.exec(text)?.[1];
  const ms = amounts === undefined ? undefined : sumOf(amounts);
  return ms === undefined ? undefined : now - ms;
}

/** Undefined for a unit that nobody knows. */
function sumOf(amounts: string): number | undefined {
  let ms = 0;
  for (const [, count, unit = ''] of amounts.matchAll(AMOUNT)) {
    if (!UNIT_NAME.test(unit)) return undefined;
    ms += Number(count) * (UNITS_MS[unit.charAt(0)] ?? Number.NaN);
  }
  return ms;
}

function instant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
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

type Fields = readonly [number, number, number, number, number, number];

/** Refuses 31 November and 25:00, which `Date` would carry over. */
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
