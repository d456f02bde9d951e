/** Returns the least of the values; infinity if there are none. `Math.min(...values)` fails above about 120,000 values. */
export function least(values: Iterable<number>): number {
  let result = Number.POSITIVE_INFINITY;
  for (const value of values) if (value < result) result = value;
  return result;
}
