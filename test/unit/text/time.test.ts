/** Tests of parsing and displaying times and durations. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  clockText,
  dayText,
  durationText,
  minuteText,
  readDuration,
  readTime,
  readTimeAhead,
  readViewTime,
  recentText,
  shortDurationText,
  timeText,
  utcDayText,
} from '../../../src/text/time.ts';

/** The current time in these tests, a Saturday. */
const NOW = new Date(2026, 10, 21, 12).getTime();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const local = (...[year, month, day, ...clock]: readonly [number, number, number, ...number[]]) =>
  new Date(year, month - 1, day, ...clock).getTime();

test.each([
  ['2h ago', NOW - 2 * HOUR_MS],
  ['2 hours ago', NOW - 2 * HOUR_MS],
  ['1h 30m ago', NOW - 1.5 * HOUR_MS],
  ['1h30min ago', NOW - 1.5 * HOUR_MS],
  ['10 min ago', NOW - HOUR_MS / 6],
  ['3 Days ago', NOW - 3 * DAY_MS],
  ['1w ago', NOW - 7 * DAY_MS],
  ['1.5 h ago', NOW - 1.5 * HOUR_MS],
  ['2 years ago', local(2024, 11, 21, 12)],
  ['an hour ago', NOW - HOUR_MS],
  ['A day ago', NOW - DAY_MS],
  ['a year ago', local(2025, 11, 21, 12)],
  ['0s ago', NOW],
  ['1h', NOW - HOUR_MS],
  ['3d', NOW - 3 * DAY_MS],
  ['now', NOW],
  ['2026-11-20T14:00:00Z', Date.UTC(2026, 10, 20, 14)],
  ['2026-11-20T14:00:00.250Z', Date.UTC(2026, 10, 20, 14, 0, 0, 250)],
  ['2026-11-20T14:00:00+02:00', Date.UTC(2026, 10, 20, 12)],
  ['2026-11-20T14:00-0530', Date.UTC(2026, 10, 20, 19, 30)],
  ['2026-11-20 14:00', local(2026, 11, 20, 14)],
  ['2026-11-20 14:00:05', local(2026, 11, 20, 14, 0, 5)],
  ['2026-11-20', local(2026, 11, 20)],
  [' 2024-02-29 ', local(2024, 2, 29)],
  ['yesterday', local(2026, 11, 20)],
  ['yesterday 14:00', local(2026, 11, 20, 14)],
  ['today 8:30', local(2026, 11, 21, 8, 30)],
  ['last tuesday', local(2026, 11, 17)],
  ['Tuesday 9:05', local(2026, 11, 17, 9, 5)],
  ['saturday', local(2026, 11, 21)],
  ['last saturday', local(2026, 11, 14)],
  ['saturday 13:00', local(2026, 11, 14, 13)],
  ['11:03', local(2026, 11, 21, 11, 3)],
  ['14:03', local(2026, 11, 20, 14, 3)],
])('Holdfast parses the time %j', (text, at) => {
  expect(readTime(text, NOW)).toBe(at);
});

test.each([
  '',
  '0',
  '2 ago',
  'h ago',
  'an ago',
  '2 months ago',
  '2026-02-29',
  '2026-13-01',
  '2026-11-20 24:00',
  '2026-11-20 12:60',
  '2026-11-20T14',
  '20.11.2026',
  '1732111200',
  '25:03',
  'yesterday 14',
  'last yesterday',
  'docs',
])('Holdfast refuses the time %j', (text) => {
  expect(readTime(text, NOW)).toBeUndefined();
});

test.each([
  ['30d', NOW + 30 * DAY_MS],
  ['in 2 weeks', NOW + 14 * DAY_MS],
  ['in a week', NOW + 7 * DAY_MS],
  ['7y', local(2033, 11, 21, 12)],
  ['2027-12-31', local(2027, 12, 31)],
  ['2027-12-31 12:00', local(2027, 12, 31, 12)],
  ['2027-12-31T12:00+02:00', Date.UTC(2027, 11, 31, 10)],
  ['soon', undefined],
  ['30', undefined],
  ['yesterday', undefined],
])('Holdfast parses the future time %j as %d', (text, at) => {
  expect(readTimeAhead(text, NOW)).toBe(at);
});

test.each([
  ['24h', DAY_MS],
  ['1h 30m', 1.5 * HOUR_MS],
  ['2 weeks', 14 * DAY_MS],
  ['7y', 7 * 365 * DAY_MS],
  ['1 year 2d', 367 * DAY_MS],
  ['1.5h', 1.5 * HOUR_MS],
  ['0.4 s', 400],
  ['0', 0],
  ['1.h', undefined],
  ['-1h', undefined],
  ['1 month', undefined],
  ['h', undefined],
])('Holdfast parses the duration %j as %d milliseconds', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each([
  ['2026-11-20 14:00:05', local(2026, 11, 20, 14, 0, 5) + 999],
  ['2026-11-20T14:00:05.250Z', Date.UTC(2026, 10, 20, 14, 0, 5, 250)],
  ['2026-11-20 14:00', local(2026, 11, 20, 14)],
  ['2026-11-21 12:00:00', NOW],
  ['2026-11-21 12:00:01', NOW + 1_000],
  ['docs', undefined],
])(
  'Holdfast resolves the time %s of a point-in-time view to the end of the second that it names',
  (text, at) => {
    expect(readViewTime(text, NOW)).toBe(at);
  },
);

test.each([
  [0, '0.0 s', '0.0 s'],
  [421, '0.4 s', '0.4 s'],
  [9_999, '10 s', '10 s'],
  [21_000, '21 s', '21 s'],
  [59_700, '1 min', '60 s'],
  [125_000, '2 min 5 s', '2 min'],
  [7_200_000, '2 h', '2 h'],
  [11_040_000, '3 h 4 min', '3 h'],
  [439_200_000, '5 d 2 h', '5 d'],
])('Holdfast displays a duration of %d ms as %s, and as %s in a column', (ms, text, short) => {
  expect(durationText(ms)).toBe(text);
  expect(shortDurationText(ms)).toBe(short);
});

const YEAR_MS = 365 * DAY_MS;

test('Holdfast displays durations that parse back to the same duration within the smaller unit', () => {
  fc.assert(
    fc.property(fc.nat({ max: YEAR_MS }), (ms) => {
      const tolerance = ms < 60_000 ? 501 : ms < HOUR_MS ? 1_500 : ms < DAY_MS ? 61_000 : HOUR_MS;
      expect(Math.abs((readDuration(durationText(ms)) ?? Number.NaN) - ms)).toBeLessThanOrEqual(
        tolerance,
      );
      const short = readDuration(shortDurationText(ms)) ?? Number.NaN;
      expect(Math.abs(short - ms)).toBeLessThanOrEqual(Math.max(500, ms / 3));
      expect(shortDurationText(ms).length).toBeLessThanOrEqual(6);
    }),
  );
});

test('Holdfast displays times that parse back to the same time within their precision', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), (at) => {
      expect(readTime(timeText(at), NOW)).toBe(at - (at % 1_000));
      expect(readTime(minuteText(at), NOW)).toBe(at - (at % 60_000));
      expect(timeText(at)).toBe(`${dayText(at)} ${clockText(at)}`);
    }),
  );
});

test('Holdfast displays a time in the local time zone, but a UTC day as that day', () => {
  const zone = process.env['TZ'];
  const at = Date.UTC(2026, 10, 21, 2, 3, 4);
  try {
    process.env['TZ'] = 'America/New_York';
    expect(timeText(at)).toBe('2026-11-20 21:03:04');
    expect(minuteText(at)).toBe('2026-11-20 21:03');
    expect(utcDayText(at)).toBe('2026-11-21');
    expect(readTime(timeText(at), NOW)).toBe(at - (at % 1_000));
  } finally {
    process.env['TZ'] = zone;
  }
});

test('Holdfast displays a time of today without its date, and any other time only as month and day', () => {
  expect(recentText(NOW - HOUR_MS, NOW)).toBe('11:00:00');
  expect(recentText(NOW - DAY_MS, NOW)).toBe('11-20');
});
