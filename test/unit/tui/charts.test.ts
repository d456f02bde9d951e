/** Tests of the charts with several rows. */

import { expect, test } from 'vitest';

import { baselineOf, chartLines } from '../../../tui/widgets/charts.ts';
import { plain } from '../../../tui/widgets/layout.ts';
import { widthOf } from '../../../tui/text/width.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const look = makeLook('mono');
const chart = (values: readonly (number | undefined)[], rows: number, width = 30) => {
  const lines = chartLines(values, { width, rows, text: String }, makeLook('mono'));
  return lines.map(plain);
};

test('a chart draws values from zero to the maximum, with both at its axis', () => {
  expect(chart([0, 10, 20, 40], 4, 7)).toEqual(['40│   █', '  │   █', '  │  ██', ' 0│▁███']);
});

test('a chart has a label in the middle of its axis if it has five rows or more', () => {
  expect(chart([0, 100], 5, 8)).toEqual([
    '100│  ██',
    '   │  ██',
    ' 50│  ██',
    '   │  ██',
    '  0│▁▁██',
  ]);
});

test('values that are almost the same are drawn from a baseline above zero, which the axis shows', () => {
  expect(baselineOf([2_966, 2_973])).toBeCloseTo(2_675.7);
  expect(baselineOf([0, 2_973])).toBe(0);
  expect(baselineOf([620, 1_240])).toBe(0);
  const lines = chart([2_966, 2_973], 3, 15);
  expect(lines.at(-1)).toContain('2676│');
  expect(lines[0]).toContain('2973│▇▇▇▇▇█████');
});

test('a chart leaves unknown values empty and shows zero as the lowest bar', () => {
  expect(chart([undefined, 0, undefined, 8], 2, 6)).toEqual(['8│   █', '0│ ▁ █']);
});

test.each([
  [[], '0│'],
  [[0, 0], '0│▁'],
  [[undefined], '0│'],
])('a chart of %j has an axis without a maximum', (values, bottom) => {
  const lines = chart(values, 2, 3);
  expect(lines).toEqual([' │', bottom]);
});

test('a chart has the width and the rows that it is given, also in ASCII', () => {
  const values = Array.from({ length: 60 }, (_, second) => Math.abs(second - 30) * 1_000);
  for (const charset of ['unicode', 'ascii'] as const) {
    const lines = chartLines(
      values,
      { width: 90, rows: 6, text: String },
      makeLook('dark', charset),
    );
    expect(lines).toHaveLength(6);
    expect(Math.max(...lines.map(widthOf))).toBe(90);
  }
  expect(look.glyphs.bars).toHaveLength(8);
});
