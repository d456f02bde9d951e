/** Tests of series and shares that are drawn in one line. */

import { expect, test } from 'vitest';

import { barParts, resampled, sparkline } from '../../../src/text/sparkline.ts';

test.each([
  [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█'],
  [[5, 5, 5], '▁▁▁'],
  [[0, undefined, 10], '▁ █'],
  [[undefined], ' '],
  [[], ''],
  [[-10, 0, 10], '▁▅█'],
  [[100, 101], '▁█'],
])('the sparkline of %j is "%s"', (values, line) => {
  expect(sparkline(values)).toBe(line);
});

test.each([
  [[100, 101], '██'],
  [[0, 0], '▁▁'],
  [[0, 50, 100], '▁▅█'],
  [[-5, 5], '▁█'],
])('the sparkline of %j with zero as the lowest bar is "%s"', (values, line) => {
  expect(sparkline(values, { least: 0 })).toBe(line);
});

test('a sparkline is drawn with the given characters', () => {
  expect(sparkline([0, 1, 2], { bars: ['_', '-', '#'] })).toBe('_-#');
});

test('a series with more values than columns is averaged, and a gap stays a gap', () => {
  expect(resampled([0, 0, undefined, undefined, 10, 20], 3)).toEqual([0, undefined, 15]);
  expect(resampled([0, 0, undefined, 4], 2)).toEqual([0, 4]);
  const ramp = Array.from({ length: 1_000 }, (_, index) => index);
  expect(resampled(ramp, 80)).toHaveLength(80);
});

test('a series with fewer values than columns repeats its values', () => {
  expect(resampled([1, undefined], 4)).toEqual([1, 1, undefined, undefined]);
  expect(resampled([], 2)).toEqual([undefined, undefined]);
});

test.each([
  [0, '....'],
  [0.5, '##..'],
  [1, '####'],
  [1.5, '####'],
  [-1, '....'],
])('the bar of the share %d is %s', (share, bar) => {
  expect(barParts(share, 4, { full: '#', empty: '.' }).join('')).toBe(bar);
});
