/** Tests of the chart of locked bytes by the time at which their locks end. */

import { expect, test } from 'vitest';

import { NOW } from '../../helpers/tui/seeds.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import { plain } from '../../../tui/widgets/layout.ts';
import {
  expiringBytes,
  HORIZONS,
  timelineLines,
} from '../../../tui/screens/locks/lock-timeline.ts';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(NOW / DAY_MS) * DAY_MS;
const end = (days: number, bytes: number) => ({ day: TODAY + days * DAY_MS, versions: 1, bytes });

test('the dashboard adds up the locked bytes by the day, week or 30 days in which the locks end', () => {
  const days = [end(0, 1), end(3, 10), end(3, 5), end(29, 100), end(40, 1_000), end(400, 7)];
  const [month, quarter, year, decade] = HORIZONS.map((each) => expiringBytes(days, each, NOW));
  expect(month).toHaveLength(30);
  expect([month?.[0], month?.[3], month?.[29]]).toEqual([1, 15, 100]);
  expect(quarter?.slice(0, 6)).toEqual([16, 0, 0, 0, 100, 1_000]);
  expect(year?.reduce((sum, bytes) => sum + bytes, 0)).toBe(1_116);
  expect([decade?.[0], decade?.[1], decade?.[13]]).toEqual([116, 1_000, 7]);
});

test('the dashboard adds a lock that has ended since the last count to the first period', () => {
  expect(expiringBytes([end(-2, 9)], HORIZONS[0], NOW)[0]).toBe(9);
});

test('the dashboard shows one line instead of a chart if no lock ends in the time range', () => {
  const options = { area: { columns: 60, rows: 9 }, now: NOW };
  expect(timelineLines([end(90, 5_000_000)], HORIZONS[0], options, makeLook('mono'))).toEqual([
    'no bytes of locks end within 30 days, 5 MB later',
  ]);
});

test('the dashboard shows the sums, an axis, and the first and last day in the chart of expiring locks', () => {
  const options = { area: { columns: 44, rows: 5 }, now: NOW };
  const days = [end(0, 2_000_000), end(15, 1_000_000), end(90, 5_000_000)];
  expect(timelineLines(days, HORIZONS[0], options, makeLook('mono')).map(plain)).toEqual([
    '3 MB of locks end within 30 days, by day, 5…',
    '2 MB│██',
    '    │██                  ▄',
    ' 0 B│██▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁',
    '     2026-11-21                   2026-12-20',
  ]);
});
