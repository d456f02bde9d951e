/** Loads a series of bucket metrics over a time span, and draws its chart. */

import type { Params, Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Area } from '../../widgets/layout.ts';
import { axisCells, chartHead, chartLines } from '../../widgets/charts.ts';
import type { ChartOptions } from '../../widgets/charts.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { widthOf } from '../../text/width.ts';
import { valueText } from './alarm-text.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time spans that `+` and `-` select. With these periods, the bars of a whole span fit on the screen. */
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
  /** The end of the last period, or the time of the request if that period has not ended. */
  readonly to: number;
  readonly periodMs: number;
  readonly points: readonly Pick<Points[number], 'at' | 'value'>[];
}

/** For each time span, the recorded values with the most detail. The daemon stores values for at most 30 days. */
const RECENT: Readonly<Record<Span['name'], Params<'metrics.recent'>['span']>> = {
  '1 hour': 'hour',
  '6 hours': 'day',
  '1 day': 'day',
  '1 week': 'week',
  '1 month': 'month',
  '1 year': 'month',
};

/** Loads the bucket size over time. The daemon records it for all buckets, even if monitoring is off. */
export async function readRecentSize(
  ui: Ui,
  bucket: string,
  span: Span,
  signal: AbortSignal,
): Promise<Series> {
  const question = { bucket, span: RECENT[span.name] };
  const { values, from: first, stepMs } = await ui.call('metrics.recent', question, { signal });
  const end = first + values.length * stepMs;
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ at: first + index * stepMs, value }],
  );
  const [from, to] = [end - span.ms, Math.min(end, ui.clock.now())];
  return { metric: 'BucketSizeBytes', span, from, to, periodMs: stepMs, points };
}

/** Returns one value for each period in the time span, or undefined for a period without samples. */
export function valuesOf({ points, span, from, periodMs }: Series): (number | undefined)[] {
  const byPeriod = new Map(
    points.map(({ at, value }) => [Math.floor((at - from) / periodMs), value]),
  );
  const count = Math.ceil(span.ms / periodMs);
  return Array.from({ length: count }, (_, index) => byPeriod.get(index));
}

/** The height of two chart headings and the line of times below the charts. */
const BOTH = 3;
/** The maximum height of a chart, because a higher chart does not show more detail. */
const MOST_ROWS = 16;
/** The height of all charts if each has its maximum height. */
export const MOST_CHART_LINES = 2 * MOST_ROWS + BOTH;

/** Draws the charts below each other. If they do not all fit, draws only the chart of the first series. */
export function chartsOf(series: readonly Series[], { columns, rows }: Area, look: Look): string[] {
  const both = Math.floor((rows - BOTH) / 2);
  const [first] = series;
  if (!first) return [];
  const shown = both >= 1 ? series : [first];
  const each = Math.min(MOST_ROWS, both >= 1 ? both : rows - 2);
  const cells = shown.map((one) => axisCells(valuesOf(one), { rows: each, text: textOf(one) }));
  const size = { width: columns, rows: each, labelCells: Math.max(...cells) };
  const charts = shown.flatMap((one) => chartOf(one, size, look));
  return [...charts, timesLine(first, size, look)];
}

/** Returns a heading with the minimum and maximum of the series, and the chart below the heading. */
function chartOf(series: Series, size: ChartSize, look: Look): string[] {
  const values = valuesOf(series);
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return [`${series.metric}: no samples in that time`];
  const text = textOf(series);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const now = `now ${text(known.at(-1) ?? 0)}`;
  const range = `${series.metric} ${text(least)} to ${text(most)}, ${now}`;
  const heads = [range, `${series.metric} ${now}`, series.metric];
  const head = chartHead(heads, values, { ...size, text });
  return [look.cut(head, size.width), ...chartLines(values, { ...size, text }, look)];
}

type ChartSize = Required<Pick<ChartOptions, 'width' | 'rows' | 'labelCells'>>;

const textOf =
  ({ metric }: Series) =>
  (value: number): string =>
    valueText(metric, value);

function timesLine({ from, to }: Series, { width, labelCells }: ChartSize, look: Look): string {
  const [start, end] = [minuteText(from), minuteText(to)];
  const indent = ' '.repeat(labelCells + 1);
  const gap = Math.max(1, width - indent.length - widthOf(start) - widthOf(end));
  return look.paint('dim', `${indent}${start}${' '.repeat(gap)}${end}`);
}
