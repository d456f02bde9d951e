/** What holds at which time of the day. */

import { describe, expect, test } from 'vitest';

import {
  isWithin,
  limitAt,
  minuteOfDay,
  timeText,
} from '../../../../src/mirror/limits/timetable.ts';

const at = (hours: number, minutes: number) => new Date(2026, 10, 21, hours, minutes).getTime();
const part = (from: number, to: number) => ({ fromMinute: from * 60, toMinute: to * 60 });

describe('a part of the day', () => {
  test.each([
    ['by day, before it', part(8, 18), 7, 59, false],
    ['by day, at its start', part(8, 18), 8, 0, true],
    ['by day, at its last minute', part(8, 18), 17, 59, true],
    ['by day, at its end', part(8, 18), 18, 0, false],
    ['over midnight, in the evening', part(22, 6), 23, 30, true],
    ['over midnight, in the morning', part(22, 6), 5, 59, true],
    ['over midnight, at its end', part(22, 6), 6, 0, false],
    ['to midnight', part(20, 24), 23, 59, true],
    ['to midnight, after it', part(20, 24), 0, 0, false],
  ])('%s', (_, range, hours, minutes, expected) => {
    expect(isWithin(range, minuteOfDay(at(hours, minutes)))).toBe(expected);
  });
});

test('the first limit that holds decides, and elsewhere there is none', () => {
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

test('a time is told as people write it', () => {
  expect([0, 485, 1440].map(timeText)).toEqual(['00:00', '08:05', '24:00']);
});
