/** Formats and parses the timestamps of signatures, `YYYYMMDDThhmmssZ` (specification, "Authentication" 3). */

const TIMESTAMP = /^\d{4}[01]\d[0-3]\dT[0-2]\d[0-5]\d[0-5]\dZ$/;

/** The timestamp that was formatted last. It is cached because a client may sign thousands of requests per second. */
let latest = { second: Number.NaN, text: '' };

/** Formats a time in milliseconds since 1970. Truncates it to whole seconds. */
export function formatTimestamp(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== latest.second) latest = { second, text: textOf(at) };
  return latest.text;
}

function textOf(at: number): string {
  const iso = new Date(at).toISOString();
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  return `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}Z`;
}

/**
 * Parses a timestamp and returns milliseconds since 1970. Returns undefined unless the text has exactly this form and
 * is a valid date and time.
 */
export function parseTimestamp(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  const number = (from: number, to: number) => Number(text.slice(from, to));
  const [month, day, hour] = [number(4, 6), number(6, 8), number(9, 11)];
  const at = Date.UTC(number(0, 4), month - 1, day, hour, number(11, 13), number(13, 15));
  // The comparison rejects dates that `Date.UTC` would adjust: February 30, hour 24, and years below 100.
  return formatTimestamp(at) === text ? at : undefined;
}

/** Returns the date part of a timestamp, `YYYYMMDD`. It is part of the credential scope. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 8);
}
