/** Draws a chart of how many locked bytes expire in each future period. All functions are pure. */

import { DAY_MS } from '../../../src/base/durations.ts';
import { bytesText } from '../../../src/text/amounts.ts';
import { utcDayText } from '../../../src/text/time.ts';
import { widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { axisCells, chartHead, chartLines } from '../../widgets/charts.ts';
import type { Area } from '../../widgets/layout.ts';
import type { EndDay } from './lock-lists.ts';

export const HORIZONS = [
  { name: '30 days', days: 30, step: 1, each: 'day' },
  { name: '90 days', days: 91, step: 7, each: 'week' },
  { name: '1 year', days: 364, step: 7, each: 'week' },
  { name: '10 years', days: 3_660, step: 30, each: '30 days' },
] as const;

export type Horizon = (typeof HORIZONS)[number];

/**
 * Returns how many bytes expire in each period of the selected time range. Periods consist of UTC
 * days.
 */
export function expiringBytes(
  days: readonly EndDay[],
  { days: count, step }: Horizon,
  now: number,
): number[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const sums = Array.from({ length: Math.ceil(count / step) }, () => 0);
  for (const { day, bytes } of days) {
    const index = Math.max(0, Math.floor((day - today) / (step * DAY_MS)));
    const sum = sums[index];
    if (sum !== undefined) sums[index] = sum + bytes;
  }
  return sums;
}

/** Returns the heading, the chart, and the first and last day below the chart. An empty chart is only a heading. */
export function timelineLines(
  days: readonly EndDay[],
  horizon: Horizon,
  { area: { columns, rows }, now }: { readonly area: Area; readonly now: number },
  look: Look,
): string[] {
  const values = expiringBytes(days, horizon, now);
  const sum = values.reduce((all, value) => all + value, 0);
  const later = days.reduce((all, { bytes }) => all + bytes, 0) - sum;
  const rest = later > 0 ? `, ${bytesText(later)} later` : '';
  if (sum === 0) return [look.cut(`no bytes of locks end within ${horizon.name}${rest}`, columns)];
  const head = `${bytesText(sum)} of locks end within ${horizon.name}, by ${horizon.each}${rest}`;
  const chart = { width: columns, rows: Math.max(1, rows - 2), text: bytesText };
  const indent = ' '.repeat(axisCells(values, chart) + 1);
  const [first, last] = [utcDayText(now), utcDayText(now + (horizon.days - 1) * DAY_MS)];
  const gap = Math.max(1, columns - indent.length - widthOf(first) - widthOf(last));
  return [
    look.cut(chartHead([head], values, chart), columns),
    ...chartLines(values, chart, look),
    look.paint('dim', `${indent}${first}${' '.repeat(gap)}${last}`),
  ];
}
