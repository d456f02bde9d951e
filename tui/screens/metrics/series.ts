/** The series of a bucket's metric over a span of time, and its picture. */

import type { Result } from '../../../src/control/messages.ts';
import { sparkline } from '../../components/charts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { pad, widthOf } from '../../text/width.ts';
import { valueText } from './alarm-text.ts';
import { resampled } from '../../../src/text/sparkline.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What `+` and `-` go through; the periods are such that a screen's width of bars shows the whole span. */
export const SPANS = [
  { name: '1 hour', ms: HOUR_MS, periodMs: MINUTE_MS },
  { name: '6 hours', ms: 6 * HOUR_MS, periodMs: 5 * MINUTE_MS },
  { name: '1 day', ms: DAY_MS, periodMs: 30 * MINUTE_MS },
  { name: '1 week', ms: 7 * DAY_MS, periodMs: 3 * HOUR_MS },
  { name: '1 month', ms: 30 * DAY_MS, periodMs: 12 * HOUR_MS },
  { name: '1 year', ms: 365 * DAY_MS, periodMs: 7 * DAY_MS },
] as const;

export type Span = (typeof SPANS)[number];
type Points = Result<'metrics.series'>['points'];

export interface Series {
  readonly metric: 'BucketSizeBytes' | 'NumberOfObjects';
  readonly span: Span;
  readonly from: number;
  readonly points: Points;
}

/** One value for each period of the span; none where there was no sample. */
export function valuesOf({ points, span, from }: Series): (number | undefined)[] {
  const byPeriod = new Map(
    points.map(({ at, value }) => [Math.floor((at - from) / span.periodMs), value]),
  );
  const count = Math.ceil(span.ms / span.periodMs);
  return Array.from({ length: count }, (_, index) => byPeriod.get(index));
}

/** Three lines: the line of bars, what it goes from and to in value, and in time. */
export function seriesLines(series: Series, width: number, look: Look): string[] {
  const values = valuesOf(series);
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return ['no samples in that time'];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const bars = sparkline(resampled(values, width), width, look, least);
  const text = (value: number) => valueText(series.metric, value);
  const range = `${series.metric} ${text(least)} to ${text(most)}, now ${text(known.at(-1) ?? 0)}`;
  const [from, to] = [minuteText(series.from), minuteText(series.from + series.span.ms)];
  const gap = Math.max(1, width - widthOf(from) - widthOf(to));
  return [
    look.paint('accent', bars),
    pad(range, width),
    look.paint('dim', from + ' '.repeat(gap) + to),
  ];
}
