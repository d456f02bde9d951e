/** Loads a series of bucket metrics over a time span, and draws its chart. */

import type { Params, Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Area } from '../../widgets/layout.ts';
import { type StackedChart, stackedCharts } from '../../widgets/chart-stack.ts';
import { minuteText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { METRIC_TEXTS, valueText } from './alarm-text.ts';

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

/** For each time span, the recorded series that the chart shows. The daemon stores values for at most 30 days. */
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

/** The height of a chart with its heading and two rows. */
const LEAST_CHART = 3;

/** Draws the charts below each other. If they do not all fit, draws only the chart of the first series. */
export function chartsOf(series: readonly Series[], area: Area, look: Look): readonly string[] {
  const [first] = series;
  if (!first) return [];
  const { from, to } = first;
  return stackedCharts(series.map(stacked), { ...area, from, to, least: LEAST_CHART }, look);
}

/** The headings of charts that are too narrow for the whole name. */
const SHORT_TEXTS: Readonly<Record<Series['metric'], string>> = {
  BucketSizeBytes: 'size',
  NumberOfObjects: 'number',
};

/** Returns a chart whose heading contains the minimum and maximum of the series. */
function stacked(series: Series): StackedChart {
  const { metric, from } = series;
  const values = valuesOf(series);
  const text = (value: number) => valueText(metric, value);
  const name = METRIC_TEXTS[metric];
  const known = values.filter((value) => value !== undefined);
  const now = `now ${text(known.at(-1) ?? 0)}`;
  const [least, most] = [text(Math.min(...known)), text(Math.max(...known))];
  const range = least === most ? `always ${most}` : `${least} to ${most}, ${now}`;
  const since = minuteText(Math.max(from, series.points[0]?.at ?? from));
  const empty =
    known.length === 0 ? 'not recorded in this time' : `always ${text(0)}, recorded since ${since}`;
  const heads = [`${name}  ${range}`, `${name}  ${now}`, name, SHORT_TEXTS[metric]];
  return { values, text, heads, emptyLine: `${name}  ${empty}` };
}
