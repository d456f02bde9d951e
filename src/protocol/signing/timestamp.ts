/** The signature's timestamp, `YYYYMMDDThhmmssZ` (specification, "Authentication" 3). */

const TIMESTAMP = /^\d{4}[01]\d[0-3]\dT[0-2]\d[0-5]\d[0-5]\dZ$/;

/** Thousands of signatures share a second. */
let latest = { second: Number.NaN, text: '' };

/** `at` in milliseconds since 1970; fractions of a second are cut off. */
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

/** Undefined for anything but a real instant in exactly this form. */
export function parseTimestamp(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  const number = (from: number, to: number) => Number(text.slice(from, to));
  const [month, day, hour] = [number(4, 6), number(6, 8), number(9, 11)];
  const at = Date.UTC(number(0, 4), month - 1, day, hour, number(11, 13), number(13, 15));
  // It takes the 30th of February for a day of March, the hour 24 for the next day's first, the year 20 for 1920.
  return formatTimestamp(at) === text ? at : undefined;
}

/** The scope's date: the day of a timestamp. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 8);
}
