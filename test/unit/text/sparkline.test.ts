/** Tests of drawing series of values and shares in one line of text. */

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
])('Holdfast draws the values %j as the sparkline "%s"', (values, line) => {
  expect(sparkline(values)).toBe(line);
});

test.each([
  [[100, 101], '██'],
  [[0, 0], '▁▁'],
  [[0, 50, 100], '▁▅█'],
  [[-5, 5], '▁█'],
])(
  'Holdfast draws the values %j with zero as the lowest bar as the sparkline "%s"',
  (values, line) => {
    expect(sparkline(values, { least: 0 })).toBe(line);
  },
);

test('Holdfast draws a sparkline with the given characters', () => {
  expect(sparkline([0, 1, 2], { bars: ['_', '-', '#'] })).toBe('_-#');
});

test('Holdfast averages a series with more values than columns and keeps its gaps', () => {
  expect(resampled([0, 0, undefined, undefined, 10, 20], 3)).toEqual([0, undefined, 15]);
  expect(resampled([0, 0, undefined, 4], 2)).toEqual([0, 4]);
  const ramp = Array.from({ length: 1_000 }, (_, index) => index);
  expect(resampled(ramp, 80)).toHaveLength(80);
});

test('Holdfast repeats the values of a series with fewer values than columns', () => {
  expect(resampled([1, undefined], 4)).toEqual([1, 1, undefined, undefined]);
  expect(resampled([], 2)).toEqual([undefined, undefined]);
});

test.each([
  [0, '....'],
  [0.5, '##..'],
  [1, '####'],
  [1.5, '####'],
  [-1, '....'],
])('Holdfast draws the bar of the share %d as %s', (share, bar) => {
  expect(barParts(share, 4, { full: '#', empty: '.' }).join('')).toBe(bar);
});
