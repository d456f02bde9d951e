/**
 * Draws the times at which a folder changed as a row of bars, with a mark below the selected time. All functions are
 * pure.
 */

import { DAY_MS, HOUR_MS } from '../../../src/base/durations.ts';
import { dayText, minuteText } from '../../../src/text/time.ts';
import { pad, widthOf } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import type { At, Moments } from './time-travel.ts';

/** The time spans that the strip can show, longest first. The first span reaches from the oldest change to now. */
export const STRIP_SPANS: readonly { readonly name: string; readonly ms?: number }[] = [
  { name: 'all changes' },
  { name: '1 year', ms: 365 * DAY_MS },
  { name: '30 days', ms: 30 * DAY_MS },
  { name: '1 week', ms: 7 * DAY_MS },
  { name: '1 day', ms: DAY_MS },
  { name: '1 hour', ms: HOUR_MS },
];

export interface StripView {
  readonly at: At;
  readonly now: number;
  /** The index of the selected time span in STRIP_SPANS. */
  readonly span: number;
  /** The width of the strip in cells. */
  readonly width: number;
}

interface Period {
  readonly start: number;
  readonly end: number;
}

/** Returns the bars and the line with the mark. The time axis is linear, and a higher bar means more changes. */
export function stripLines(known: Moments, view: StripView, look: Look): string[] {
  const period = periodOf(known, view);
  if (!period) return [];
  const { at, now, width } = view;
  const { name } = STRIP_SPANS[view.span] ?? {};
  const text = period.end - period.start > DAY_MS ? dayText : minuteText;
  const start = `${text(period.start)} `;
  const end = period.end >= now ? ' now' : ` ${text(period.end)}`;
  const room = Math.max(1, width - widthOf(start) - widthOf(end) - 2);
  const bars = barsOf(countsIn(known, period, room), look);
  const place = at === undefined ? room + 1 : Math.min(room, cellOf(at, period, room));
  const mark =
    place < 0
      ? ` ${look.glyphs.up} before all`
      : `${' '.repeat(widthOf(start) + 1 + place)}${look.glyphs.up}`;
  const legend = `${name}   + - span `;
  const gap = width - widthOf(mark) - widthOf(legend);
  const dim = (part: string) => look.paint('dim', part);
  return [
    ` ${dim(start)}${bars}${dim(end)}`,
    look.paint('accent', mark) + (gap > 0 ? dim(pad(legend, gap + widthOf(legend), 'right')) : ''),
  ];
}

/**
 * Divides the time before now into periods as long as the selected span, and returns the period that contains the
 * selected time. Returns undefined if the folder never changed.
 */
function periodOf({ moments }: Moments, { at, now, span }: StripView): Period | undefined {
  const oldest = moments.at(-1);
  if (!oldest) return undefined;
  const { ms } = STRIP_SPANS[span] ?? {};
  if (ms === undefined) return { start: oldest.at, end: Math.max(now, oldest.at + 1) };
  const pages = Math.floor((now - (at ?? now)) / ms);
  const end = now - pages * ms;
  return { start: end - ms, end };
}

function cellOf(at: number, { start, end }: Period, cells: number): number {
  return Math.floor(((at - start) / (end - start)) * cells);
}

function countsIn({ moments }: Moments, period: Period, cells: number): readonly number[] {
  const counts = Array.from({ length: cells }, () => 0);
  for (const { at, changes } of moments) {
    if (at < period.start || at > period.end) continue;
    const cell = Math.min(cells - 1, cellOf(at, period, cells));
    counts[cell] = (counts[cell] ?? 0) + changes;
  }
  return counts;
}

/** Draws a bar for each count. A period without changes has no bar. */
function barsOf(counts: readonly number[], look: Look): string {
  const { bars, across } = look.glyphs;
  const most = Math.max(1, ...counts);
  const cells = counts.map((count) => {
    if (count === 0) return look.paint('dim', across);
    const height = Math.ceil((count / most) * bars.length);
    return look.paint('chart', bars[height - 1] ?? '');
  });
  return cells.join('');
}
