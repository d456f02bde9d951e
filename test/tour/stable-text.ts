/**
 * Replaces parts of a journey's output that differ between runs: dates, seconds, durations and
 * process ids.
 */

/** The Monday on which all journeys of the documentation start. */
const FIRST_DAY = Date.UTC(2026, 10, 16);

export function stable(text: string, dayOne: number): string {
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, (date) => {
      const shifted = new Date(Date.parse(date) - dayOne + FIRST_DAY);
      return shifted.toISOString().slice(0, 10);
    })
    .replaceAll(/\b(\d\d:\d\d):\d\d\b/g, '$1:00')
    .replaceAll(/\b\d\.\d s\b/g, '0.1 s')
    .replaceAll(/\b(\d+ min) \d+ s\b/g, '$1')
    .replaceAll(/: \d s apart/g, ': 0 s apart')
    .replaceAll(/\bpid \d+/g, 'pid 4242');
}
