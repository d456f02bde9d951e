/**
 * Parses the times and durations of options such as `--at` and `--grace`. Throws a usage error for an invalid value.
 */

import { usageError } from '../output/command-error.ts';
import { readDuration, readTime, readTimeAhead, readViewTime } from '../../text/time.ts';

/** The latest time that all date parsers accept. */
const MAX_TIME = Date.UTC(9999, 11, 31);

const HINT =
  'write "2h ago", "yesterday 14:00", "last tuesday", "2026-11-20 14:00" (local time) or 2026-11-20T14:00:00Z';

/**
 * Parses a time like `readTime`. Returns milliseconds since 1970. Throws a usage error if the time is invalid or after
 * `latest`.
 */
export function parseWhen(text: string, now: number, latest = now): number {
  return pastTime(text, readTime(text, now), latest);
}

/** Like `parseWhen`, but parses the time of a point-in-time view like `readViewTime`. */
export function parseAt(text: string, now: number): number {
  return pastTime(text, readViewTime(text, now), now);
}

function pastTime(text: string, at: number | undefined, latest: number): number {
  if (at === undefined) throw usageError(`invalid time "${text}"`, HINT);
  if (at > latest) throw usageError(`invalid time "${text}": it is in the future`, HINT);
  return at;
}

/** Parses a time like `parseWhen`, but also accepts a time in the future, such as `in 30d`. */
export function parseAnyWhen(text: string, now: number): number {
  const ahead = /^in\s/i.test(text.trim()) ? readTimeAhead(text, now) : undefined;
  return ahead ?? parseWhen(text, now, MAX_TIME);
}

/**
 * Parses a time like `readTimeAhead`. Returns milliseconds since 1970. Throws a usage error unless the time is in the
 * future.
 */
export function parseUntil(text: string, now: number): number {
  const hint = 'write 2027-12-31, "2027-12-31 12:00" (local time), 30d or 7y';
  const at = readTimeAhead(text, now);
  if (at === undefined) throw usageError(`invalid time "${text}"`, hint);
  if (at <= now) throw usageError(`invalid time "${text}": it is not in the future`, hint);
  return at;
}

/**
 * Returns the end of a period that starts now, such as `30d` or `7y`, in milliseconds since 1970. Years are calendar
 * years. Throws the usage errors of `parseDuration`.
 */
export function parseEnd(text: string, now: number, maxMs: number): number {
  const ms = parseDuration(text, maxMs);
  return readTimeAhead(text, now) ?? now + ms;
}

/**
 * Parses a duration like `readDuration`. Returns milliseconds. Throws a usage error if the duration is invalid or
 * longer than `maxMs`.
 */
export function parseDuration(text: string, maxMs: number): number {
  const ms = readDuration(text);
  if (ms === undefined) throw usageError(`invalid duration "${text}"`, 'write 30m, 24h or 7d');
  if (ms <= maxMs) return ms;
  const most = `${maxMs / 86_400_000}d`;
  throw usageError(`invalid duration "${text}": the maximum is ${most}`, `write ${most} or less`);
}
