/** Draws a series of values in one line. */

const BARS = '▁▂▃▄▅▆▇█';
/** The maximum width. A wider line is hard to read at a glance. */
const MAX_CELLS = 80;

/**
 * Returns one bar for each value, scaled between the minimum and the maximum, and a space for each undefined value. If
 * there are more values than columns, a bar shows the average of adjacent values.
 */
export function sparkline(values: readonly (number | undefined)[], columns: number): string {
  const cells = inCells(values, Math.max(1, Math.min(columns, MAX_CELLS)));
  const known = cells.filter((value) => value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return cells.map((value) => bar(value, least, most)).join('');
}

function bar(value: number | undefined, least: number, most: number): string {
  if (value === undefined) return ' ';
  const place = most === least ? 0 : (value - least) / (most - least);
  return BARS.charAt(Math.round(place * (BARS.length - 1)));
}

function inCells(values: readonly (number | undefined)[], count: number): (number | undefined)[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, cell) => {
    const from = Math.floor((cell * values.length) / count);
    const to = Math.floor(((cell + 1) * values.length) / count);
    const known = values.slice(from, to).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0) / known.length;
  });
}
