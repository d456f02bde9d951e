/** Draws a series of values, or a share, as one line of text. */

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

interface SparklineOptions {
  /** The characters for bars, from the lowest to the highest bar. */
  readonly bars?: readonly string[];
  /** The value of the lowest bar. By default, the minimum of the series. */
  readonly least?: number;
}

/**
 * Returns one bar for each value, and a space for each undefined value. The highest bar represents the maximum. If all
 * values equal `least`, all bars are the lowest.
 */
export function sparkline(
  values: readonly (number | undefined)[],
  { bars = BARS, least }: SparklineOptions = {},
): string {
  const known = values.filter((value) => value !== undefined);
  const [from, to] = [least ?? Math.min(...known), Math.max(...known)];
  return values
    .map((value) => {
      if (value === undefined) return ' ';
      const height = to <= from ? 0 : Math.max(0, (value - from) / (to - from));
      return bars[Math.round(height * (bars.length - 1))];
    })
    .join('');
}

/**
 * Returns the series with `count` values. If the series is longer, each result is the average of adjacent values; if it
 * is shorter, values are repeated.
 */
export function resampled(
  values: readonly (number | undefined)[],
  count: number,
): (number | undefined)[] {
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * values.length) / count));
    const known = values.slice(from, to).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0) / known.length;
  });
}

/**
 * Returns the filled and the empty part of a bar that shows a share: `██████` and `░░░░`. The share is limited to 0 to
 * 1.
 */
export function barParts(
  share: number,
  cells: number,
  { full, empty }: { readonly full: string; readonly empty: string },
): readonly [filled: string, rest: string] {
  const filled = Math.round(Math.max(0, Math.min(1, share)) * cells);
  return [full.repeat(filled), empty.repeat(cells - filled)];
}
