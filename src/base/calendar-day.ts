/** Validates dates in ISO 8601 format. */

/**
 * Returns whether the date exists, such as `2026-02-28`. `Date.parse` cannot be used alone, because it reads 30
 * February as 2 March.
 */
export function isCalendarDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
