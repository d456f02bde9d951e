/** Draws a series of values and a share with the characters of one line. */

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

interface SparklineOptions {
  /** Characters from the lowest bar to the highest one. */
  readonly bars?: readonly string[];
  /** Value of the lowest bar; by default the minimum of the series. */
  readonly least?: number;
}

/**
 * Returns one bar for each value, and a space for each undefined one. The highest bar is the maximum. A series without
 * a range, all of whose values equal `least`, has the lowest bars.
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
 * Returns the series with `count` values. If it has more, each result is the average of adjacent values; if it has fewer,
 * values are repeated.
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

/** Returns the filled and the empty part of a bar for a share, which is limited to 0 to 1: `██████` and `░░░░`. */
export function barParts(
  share: number,
  cells: number,
  { full, empty }: { readonly full: string; readonly empty: string },
): readonly [filled: string, rest: string] {
  const filled = Math.round(Math.max(0, Math.min(1, share)) * cells);
  return [full.repeat(filled), empty.repeat(cells - filled)];
}
