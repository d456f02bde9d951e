/** Tests of the hours and the rate limit that apply at a time of day. */

import { describe, expect, test } from 'vitest';

import {
  isWithin,
  limitAt,
  minuteOfDay,
  timeText,
} from '../../../../src/mirror/limits/timetable.ts';

const at = (hours: number, minutes: number) => new Date(2026, 10, 21, hours, minutes).getTime();
const part = (from: number, to: number) => ({ fromMinute: from * 60, toMinute: to * 60 });

describe('a range of hours in a day', () => {
  test.each([
    ['before a range that lies within one day', part(8, 18), 7, 59, false],
    ['at the start of a range that lies within one day', part(8, 18), 8, 0, true],
    ['in the last minute of a range that lies within one day', part(8, 18), 17, 59, true],
    ['at the end of a range that lies within one day', part(8, 18), 18, 0, false],
    ['in the evening, in a range across midnight', part(22, 6), 23, 30, true],
    ['in the morning, in a range across midnight', part(22, 6), 5, 59, true],
    ['at the end of a range across midnight', part(22, 6), 6, 0, false],
    ['before midnight, in a range that ends at midnight', part(20, 24), 23, 59, true],
    ['after midnight, in a range that ends at midnight', part(20, 24), 0, 0, false],
  ])(
    'Holdfast decides whether a time of day is within a range of hours: %s',
    (_, range, hours, minutes, expected) => {
      expect(isWithin(range, minuteOfDay(at(hours, minutes)))).toBe(expected);
    },
  );
});

test('Holdfast applies the first rate limit whose hours contain the time, and no limit outside all ranges of hours', () => {
  const parts = [
    { ...part(8, 18), bytesPerSecond: 1 },
    { ...part(17, 20), bytesPerSecond: 2 },
  ];
  expect([7, 8, 17, 18, 20].map((hour) => limitAt(parts, at(hour, 30)))).toEqual([
    undefined,
    1,
    1,
    2,
    undefined,
  ]);
  expect(limitAt([...parts, { bytesPerSecond: 3 }], at(3, 0))).toBe(3);
});

test('Holdfast formats minutes of the day as HH:MM', () => {
  expect([0, 485, 1440].map(timeText)).toEqual(['00:00', '08:05', '24:00']);
});
