/** Days as ISO 8601 writes them. */

/** Whether there is such a day, as `2026-02-28`: the platform takes the 30th of February for the 2nd of March. */
export function isCalendarDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
