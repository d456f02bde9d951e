/** Reads times and durations as people write them. A time is local unless it names a zone. */

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const DURATION = /^(?:\d+\s*[a-z]+\s*)+$/;
const AMOUNT = /(\d+)\s*([a-z]+)/g;
const UNIT_NAME = /^(?:s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|d|days?|w|weeks?)$/;
const YEARS = /^(\d{1,4})\s*(?:y|years?)$/;

/** A date, then hours and minutes after `T` or a space, then optional seconds, fraction and zone. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** A day by name with an optional time of day, or a time of day alone. */
const NAMED =
  /^(?:(today|yesterday|(?:last\s+)?(?:sun|mon|tues|wednes|thurs|fri|satur)day)(?:\s+|$))?(?:(\d\d?):(\d\d)(?::(\d\d))?)?$/;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Returns milliseconds since 1970, or undefined if the text is not a time. Reads `now`, `2h ago`, `1h 30m`, `yesterday
 * 14:00`, `last tuesday`, `14:00`, `2026-11-20`, `2026-11-20 14:00` and ISO 8601. A day without a time of day begins at
 * midnight. A weekday, and a time of day alone, is the last one before `now`.
 */
export function readTime(text: string, now: number): number | undefined {
  const lower = text.trim().toLowerCase();
  if (lower === 'now') return now;
  const ago = readDuration(lower.replace(/\s+ago$/, ''));
  if (ago !== undefined && lower !== '0') return now - ago;
  return readInstant(text) ?? readNamed(lower, now);
}

/** As `readTime`, for a time that is expected in the future: `30d`, `in 2 weeks`, `7y`, a date or ISO 8601. */
export function readTimeAhead(text: string, now: number): number | undefined {
  const lower = text
    .trim()
    .toLowerCase()
    .replace(/^in\s+/, '');
  const years = YEARS.exec(lower)?.[1];
  if (years !== undefined) {
    const date = new Date(now);
    return date.setFullYear(date.getFullYear() + Number(years));
  }
  const ahead = readDuration(lower);
  return ahead === undefined ? readInstant(text) : now + ahead;
}

/** Returns the milliseconds of `24h`, `1h 30m`, `2 weeks` or `0`; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const lower = text.trim().toLowerCase();
  if (lower === '0') return 0;
  if (!DURATION.test(lower)) return undefined;
  let ms = 0;
  for (const [, count, unit = ''] of lower.matchAll(AMOUNT)) {
    if (!UNIT_NAME.test(unit)) return undefined;
    ms += Number(count) * (UNITS_MS[unit.charAt(0)] ?? Number.NaN);
  }
  return ms;
}

/** Reads a date with an optional time of day, and ISO 8601. */
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

/** Rejects 31 November and 25:00, which `Date` would carry over. */
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
