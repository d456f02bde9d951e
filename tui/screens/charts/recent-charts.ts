/**
 * Draws charts of the values that the daemon recorded for one job or all jobs over an hour, a day, a week or 30 days.
 */

import type { Result } from '../../../src/control/messages.ts';
import { numberText, rateText } from '../../../src/text/amounts.ts';
import { minuteText, shortDurationText } from '../../../src/text/time.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Look } from '../../theme/look.ts';
import { type StackedChart, stackedCharts } from '../../widgets/chart-stack.ts';

export const SPANS = ['hour', 'day', 'week', 'month'] as const;
export type SpanName = (typeof SPANS)[number];

/** The texts for the time spans in titles, such as `Throughput 1 hour`. */
export const SPAN_TEXTS: Readonly<Record<SpanName, string>> = {
  hour: '1 hour',
  day: '1 day',
  week: '1 week',
  month: '30 days',
};

/** The metrics in order of importance. The first charts that fit are drawn. */
const METRICS = ['bytes', 'lag', 'versions', 'operations'] as const;
type Metric = (typeof METRICS)[number];
type Recent = Result<'throughput.series'>;

const TITLES: Readonly<Record<Metric, string>> = {
  bytes: 'throughput',
  lag: 'lag',
  versions: 'versions',
  operations: 'requests',
};

export interface RecentChart {
  readonly metric: Metric;
  readonly recent: Recent;
}

export function readCharts(
  ui: Ui,
  { span, job }: { readonly span: SpanName; readonly job: string | undefined },
  signal: AbortSignal,
): Promise<readonly RecentChart[]> {
  return Promise.all(
    METRICS.map(async (metric) => {
      const question = { metric, span, ...(job === undefined ? {} : { job }) };
      return { metric, recent: await ui.call('throughput.series', question, { signal }) };
    }),
  );
}

/** Returns whether the charts are loaded and have no value above zero. */
export function areEmpty(charts: readonly RecentChart[]): boolean {
  const values = charts.flatMap(({ recent }) => recent.values);
  return values.length > 0 && !values.some((value) => value !== null && value > 0);
}

/** The height of a chart with its heading and two rows. */
const LEAST_CHART = 3;

/** Returns as many charts as fit, one below the other, with the start and end times at the bottom. */
export function recentLines(
  charts: readonly RecentChart[],
  area: Area,
  look: Look,
): readonly string[] {
  const [first] = charts;
  if (!first) return [];
  if (charts.every(({ recent }) => recent.values.every((value) => value === null))) {
    return [look.paint('dim', 'no values yet: the first appear within a minute')];
  }
  const { from, to } = first.recent;
  return stackedCharts(charts.map(stacked), { ...area, from, to, least: LEAST_CHART }, look);
}

function stacked({ metric, recent }: RecentChart): StackedChart {
  const values = shownValues({ metric, recent });
  const heads = headTexts(metric, values, recent);
  return { values, text: TEXTS[metric], heads, emptyLine: emptyText(metric, values, recent) };
}

const TEXTS: Readonly<Record<Metric, (value: number) => string>> = {
  bytes: rateText,
  lag: (value) => (value === 0 ? '0 s' : shortDurationText(value)),
  // The label in the middle of the axis can be a fraction, which is not a number of versions.
  versions: (value) => (Number.isInteger(value) ? numberText(value) : ''),
  operations: (value) => `${numberText(value < 10 ? value : Math.round(value))} /s`,
};

/**
 * Returns the values for a chart, with transfers converted to rates per second. The last period may not be complete
 * yet.
 */
function shownValues({ metric, recent }: RecentChart): (number | undefined)[] {
  const { values, stepMs, from, to } = recent;
  return values.map((value, index) => {
    if (value === null) return undefined;
    if (metric === 'lag' || metric === 'versions') return value;
    const lasted = Math.min(stepMs, to - (from + index * stepMs));
    return lasted > 0 ? (value * 1_000) / lasted : undefined;
  });
}

/**
 * Returns the headings of a chart, the longest first: `throughput  now 18.5 MB/s, peak 40 MB/s`. The heading of the
 * chart of versions shows their total instead. If the daemon has not recorded the whole time, the longest heading
 * states when the values start.
 */
function headTexts(
  metric: Metric,
  values: readonly (number | undefined)[],
  recent: Recent,
): readonly string[] {
  const text = TEXTS[metric];
  const known = values.filter((value) => value !== undefined);
  const [now, most] = [known.at(-1) ?? 0, Math.max(0, ...known)];
  const start = startOf(values, recent);
  const since = start === undefined ? '' : `, since ${minuteText(start)}`;
  const sum = known.reduce((all, value) => all + value, 0);
  const short = metric === 'versions' ? `${text(sum)} created` : `now ${text(now)}`;
  const period = metric === 'versions' ? ` in ${shortDurationText(recent.stepMs)}` : '';
  const whole = `${TITLES[metric]}  ${short}, peak ${text(most)}${period}`;
  return [`${whole}${since}`, whole, `${TITLES[metric]}  ${short}`];
}

/** Returns the line for a metric without any value above zero: `lag  always 0 s, recorded since 2026-11-30 10:01`. */
function emptyText(
  metric: Metric,
  values: readonly (number | undefined)[],
  recent: Recent,
): string {
  if (values.every((value) => value === undefined)) return `${TITLES[metric]}  not recorded yet`;
  const start = startOf(values, recent);
  const since = start === undefined ? ' in this time' : `, recorded since ${minuteText(start)}`;
  return `${TITLES[metric]}  always ${TEXTS[metric](0)}${since}`;
}

/** Returns when the values start, or undefined if the daemon has recorded the whole time. */
function startOf(
  values: readonly (number | undefined)[],
  { from, stepMs }: Recent,
): number | undefined {
  const first = values.findIndex((value) => value !== undefined);
  return first > 0 ? from + first * stepMs : undefined;
}
