/** Tests of the times and durations that people write, for the command line and the dashboard. */

import { expect, test } from 'vitest';

import { readDuration, readTime, readTimeAhead } from '../../../src/text/time.ts';

/** A Saturday. */
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
])('the time %j is accepted', (text, at) => {
  expect(readTime(text, NOW)).toBe(at);
});

test.each([
  '',
  '0',
  '2 ago',
  'h ago',
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
])('the time %j is not accepted', (text) => {
  expect(readTime(text, NOW)).toBeUndefined();
});

test.each([
  ['30d', NOW + 30 * DAY_MS],
  ['in 2 weeks', NOW + 14 * DAY_MS],
  ['7y', local(2033, 11, 21, 12)],
  ['2027-12-31', local(2027, 12, 31)],
  ['2027-12-31 12:00', local(2027, 12, 31, 12)],
  ['2027-12-31T12:00+02:00', Date.UTC(2027, 11, 31, 10)],
  ['soon', undefined],
  ['30', undefined],
  ['yesterday', undefined],
])('the future time %j is %d', (text, at) => {
  expect(readTimeAhead(text, NOW)).toBe(at);
});

test.each([
  ['24h', DAY_MS],
  ['1h 30m', 1.5 * HOUR_MS],
  ['2 weeks', 14 * DAY_MS],
  ['0', 0],
  ['1 month', undefined],
  ['h', undefined],
])('the duration %j has %d milliseconds', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});
