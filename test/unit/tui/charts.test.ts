/** Tests of charts with several rows of text. */

import { expect, test } from 'vitest';

import { recentLines } from '../../../tui/screens/charts/recent-charts.ts';
import { chartsOf, SPANS } from '../../../tui/screens/metrics/series.ts';
import { baselineOf, chartHead, chartLines, shareBar } from '../../../tui/widgets/charts.ts';
import { plain } from '../../../tui/widgets/layout.ts';
import { timesLine } from '../../../tui/widgets/chart-stack.ts';
import { widthOf } from '../../../tui/text/width.ts';
import { makeLook } from '../../../tui/theme/look.ts';

const look = makeLook('mono');
const chart = (values: readonly (number | undefined)[], rows: number, width = 30) => {
  const lines = chartLines(values, { width, rows, text: String }, makeLook('mono'));
  return lines.map(plain);
};

test('the dashboard draws a chart from zero to the maximum and labels both on the axis', () => {
  expect(chart([0, 10, 20, 40], 4, 7)).toEqual(['40│   █', '  │   █', '  │  ██', ' 0│▁███']);
});

test('the dashboard labels the middle of the axis of a chart with five rows or more', () => {
  expect(chart([0, 100], 5, 8)).toEqual([
    '100│  ██',
    '   │  ██',
    ' 50│  ██',
    '   │  ██',
    '  0│▁▁██',
  ]);
});

test('the dashboard draws almost equal values on an axis that starts above zero, and labels its start', () => {
  expect(baselineOf([2_966, 2_973])).toBeCloseTo(2_675.7);
  expect(baselineOf([0, 2_973])).toBe(0);
  expect(baselineOf([620, 1_240])).toBe(0);
  expect(baselineOf([undefined, 95, 95])).toBe(0);
  const lines = chart([2_966, 2_973], 3, 15);
  expect(lines.at(-1)).toContain('2676│');
  expect(lines[0]).toContain('2973│▇▇▇▇▇█████');
});

test('the dashboard states above a chart that its axis does not start at zero, even if the heading must be shortened', () => {
  const options = { width: 34, text: String };
  const heads = ['size 2966 to 2973, now 2973', 'size'];
  expect(chartHead(heads, [0, 2_973], options)).toBe('size 2966 to 2973, now 2973');
  expect(chartHead(heads, [2_966, 2_973], options)).toBe('size   axis from 2676');
});

test('the dashboard draws a series that started recently only at the end of the time span', () => {
  const young = [...Array.from({ length: 57 }, () => undefined), 4, 8, 4];
  const [top, bottom] = chart(young, 2, 122);
  expect(top).toBe(`8│${' '.repeat(114)}  ██`);
  expect(bottom).toBe(`0│${' '.repeat(114)}██████`);
});

test('the dashboard states above the charts of a new job where the axis and the values start', () => {
  const from = new Date(2026, 10, 21, 11).getTime();
  const values = Array.from({ length: 60 }, (_, minute) =>
    minute < 58 ? null : 90_000 + minute * 100,
  );
  const recent = { from, to: from + 3_600_000, stepMs: 60_000, values };
  const lines = recentLines([{ metric: 'lag', recent }], { columns: 80, rows: 6 }, look);
  expect(lines[0]).toMatch(/^lag +now 96 s, peak 96 s, since 2026-11-21 11:58   axis from 86 s$/);
});

test('the dashboard draws a chart without any value above zero as one line that states since when values are recorded', () => {
  const from = new Date(2026, 10, 21, 11).getTime();
  const recentOf = (value: (minute: number) => number | null) => {
    const values = Array.from({ length: 60 }, (_, minute) => (minute < 30 ? null : value(minute)));
    return { from, to: from + 3_600_000, stepMs: 60_000, values };
  };
  const charts = [
    { metric: 'bytes', recent: recentOf((minute) => minute) },
    { metric: 'lag', recent: recentOf(() => 0) },
    { metric: 'versions', recent: recentOf(() => null) },
  ] as const;
  const lines = recentLines(charts, { columns: 80, rows: 12 }, look).map(plain);
  expect(lines).toHaveLength(12);
  expect(lines.filter((line) => line.includes('│'))).toHaveLength(8);
  expect(lines.slice(9, 11)).toEqual([
    'lag  always 0 s, recorded since 2026-11-21 11:30',
    'versions  not recorded yet',
  ]);
  const idle = recentLines(charts.slice(1), { columns: 80, rows: 12 }, look);
  expect(idle).toHaveLength(2);
});

test('the dashboard labels the time below a wide chart at its ends and between them', () => {
  const from = new Date(2026, 10, 21, 11).getTime();
  const size = { width: 168, labelCells: 7 };
  const hour = plain(timesLine({ from, to: from + 3_600_000 }, size, look));
  expect(hour.trim().split(/ {2,}/)).toEqual([
    '2026-11-21 11:00',
    '11:15',
    '11:30',
    '11:45',
    '2026-11-21 12:00',
  ]);
  expect(widthOf(hour)).toBe(168);
  // The label of the middle is below the middle of the chart.
  expect(hour.indexOf('11:30') + 2).toBe(8 + 160 / 2);
  const week = plain(timesLine({ from, to: from + 7 * 86_400_000 }, size, look));
  expect(week).toContain(' 11-24 ');
  const narrow = plain(
    timesLine({ from, to: from + 3_600_000 }, { width: 60, labelCells: 7 }, look),
  );
  expect(narrow.trim().split(/ {2,}/)).toEqual(['2026-11-21 11:00', '2026-11-21 12:00']);
});

test('the dashboard states above a chart that its values did not change, and names the metric in plain English', () => {
  const from = new Date(2026, 10, 21, 11).getTime();
  const span = SPANS[0];
  const series = (value: number) => {
    const points = [10, 20, 30].map((minute) => ({ at: from + minute * 60_000, value }));
    const times = { from, to: from + span.ms, periodMs: span.periodMs };
    return { metric: 'BucketSizeBytes' as const, span, ...times, points };
  };
  const [head] = chartsOf([series(5_000)], { columns: 80, rows: 8 }, look);
  expect(head).toBe('size of the bucket  always 5 kB');
  const lines = chartsOf([series(0)], { columns: 80, rows: 8 }, look).map(plain);
  expect(lines).toEqual(['size of the bucket  always 0 B, recorded since 2026-11-21 11:10']);
});

test('the dashboard shows small shares as partly filled cells, so that they can be compared', () => {
  const of = (share: number, charset?: 'ascii') =>
    shareBar(share, 6, makeLook('mono', charset ?? 'unicode'));
  expect([of(0), of(0.001), of(0.02), of(0.5), of(0.55), of(1)]).toEqual([
    '░░░░░░',
    '▏░░░░░',
    '▏░░░░░',
    '███░░░',
    '███▎░░',
    '██████',
  ]);
  expect([of(0, 'ascii'), of(0.02, 'ascii'), of(1, 'ascii')]).toEqual([
    '......',
    '#.....',
    '######',
  ]);
});

test('the dashboard labels the axis of a chart of small rates with decimals', () => {
  const options = { width: 20, rows: 3, text: (value: number) => value.toFixed(2) };
  expect(chartLines([0.1, 0.35], options, look)[0]).toContain('0.35');
});

test('the dashboard leaves unknown values of a chart empty and draws zero as the lowest bar', () => {
  expect(chart([undefined, 0, undefined, 8], 2, 6)).toEqual(['8│   █', '0│ ▁ █']);
});

test.each([
  [[], '0│'],
  [[0, 0], '0│▁'],
  [[undefined], '0│'],
])(
  'the dashboard labels only the zero on the axis of a chart of the values %j',
  (values, bottom) => {
    const lines = chart(values, 2, 3);
    expect(lines).toEqual([' │', bottom]);
  },
);

test('the dashboard draws a chart with the given width and number of rows, also in ASCII', () => {
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
