/** The signature's timestamp, `YYYYMMDDThhmmssZ` (specification, "Authentication" 3). */

const TIMESTAMP = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/** `at` in milliseconds since 1970; fractions of a second are cut off. */
export function formatTimestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Undefined for anything but a real instant in exactly this form. */
export function parseTimestamp(text: string): number | undefined {
  const [, year, month, day, ...clock] = TIMESTAMP.exec(text) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${clock.join(':')}Z`);
  // `Date.parse` takes the 30th of February for the 1st or 2nd of March.
  return new Date(at).getUTCDate() === Number(day) ? at : undefined;
}

/** The scope's date: the day of a timestamp. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 8);
}
