/**
 * Implements `holdfast monitor metrics`. It prints metrics of buckets (current values or over time), turns
 * monitoring on or off, and prints all metrics for Prometheus.
 */

import { DAY_MS, MINUTE_MS } from '../../../base/durations.ts';
import { METRICS, STATISTICS } from '../../../control/methods/monitoring.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { choice } from '../../arguments/choices.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { tableLines } from '../../output/output.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { timeText } from '../../../text/time.ts';
import { parseDuration, parseWhen } from '../../arguments/when.ts';
import type { Answers } from '../../simple-call.ts';
import { resampled, sparkline } from '../../../text/sparkline.ts';

export interface MetricsOptions {
  readonly since?: string;
  readonly period?: string;
  readonly statistic?: string;
  readonly metric?: string;
  readonly prometheus?: boolean;
}

type Metrics = Result<'metrics.get'>;
type Series = Params<'metrics.series'>;
type Metric = Series['metric'];

/** The longest period into which values of a series can be combined. */
const MAX_PERIOD_MS = 7 * DAY_MS;
const DEFAULT_SINCE_MS = DAY_MS;

/**
 * The possible default periods. The default is the shortest period that results in at most `USUAL_ROWS` rows, or else
 * the longest period.
 */
const USUAL_PERIODS_MS = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS, DAY_MS];
const USUAL_ROWS = 48;

export async function showMetrics(
  context: Context,
  bucket: string | undefined,
  options: MetricsOptions,
): Promise<void> {
  const { prometheus = false, ...wanted } = options;
  const isSeries = Object.keys(wanted).length > 0;
  if (prometheus) {
    if (bucket !== undefined || isSeries)
      throw usageError('cannot use --prometheus with a bucket or another option');
    return printPrometheus(context);
  }
  if (bucket === undefined) {
    if (isSeries)
      throw usageError(
        'cannot print a series: no bucket is given',
        'name it: holdfast monitor metrics BUCKET --since 1d',
      );
    return listMetrics(context);
  }
  return isSeries ? showSeries(context, bucket, wanted) : showBucket(context, bucket);
}

export const METRIC_ANSWERS: Answers = {
  'metrics.monitor': ({ bucket, monitored }) => [
    monitored
      ? `monitoring of ${bucket} is on: one sample per minute, and its alarms are evaluated`
      : `monitoring of ${bucket} is off: its alarms are disabled; recorded metrics remain`,
  ],
};

async function printPrometheus(context: Context): Promise<void> {
  const { text } = await context.withDaemon((daemon) => daemon.call('metrics.prometheus', {}));
  if (context.json) return context.out.json({ text });
  await context.out.bytes(Buffer.from(text));
}

async function listMetrics(context: Context): Promise<void> {
  const { buckets } = await context.withDaemon((daemon) => daemon.call('metrics.list', {}));
  if (context.json) return context.out.json({ buckets });
  if (buckets.length === 0) return context.remark('no buckets yet: `holdfast s3 mb BUCKET`');
  const columns = [
    { title: 'SIZE', align: 'right' },
    { title: 'OBJECTS', align: 'right' },
    { title: 'MONITORING' },
    { title: 'BUCKET' },
  ] as const;
  const rows = buckets.map(({ bucket, sizeBytes, objects, monitored }) => [
    bytesText(sizeBytes),
    numberText(objects),
    monitored ? 'on' : 'off',
    bucket,
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

async function showBucket(context: Context, bucket: string): Promise<void> {
  const metrics = await context.withDaemon((daemon) => daemon.call('metrics.get', { bucket }));
  if (context.json) return context.out.json(metrics);
  await context.out.prose(...bucketLines(metrics));
}

function bucketLines(metrics: Metrics): string[] {
  const { bucket, monitored, sizeBytes, objects, versions, deleteMarkers, parts, heads } = metrics;
  const hint = monitored ? 'on' : `off (holdfast monitor metrics on ${bucket})`;
  return [
    `${bucket}  monitoring ${hint}`,
    ...(heads
      ? [`  current objects  ${numberText(heads.count)}${heads.isAll ? '' : ' or more'}`]
      : []),
    `  BucketSizeBytes  ${numberText(sizeBytes)}  (${bytesText(metrics.versionBytes)} in versions, ${bytesText(metrics.partBytes)} in parts of open uploads)`,
    `  NumberOfObjects  ${numberText(objects)}  (${countText(versions, 'version')}, ${countText(deleteMarkers, 'delete marker')}, ${countText(parts, 'part')} of open uploads)`,
  ];
}

async function showSeries(
  context: Context,
  bucket: string,
  options: Omit<MetricsOptions, 'prometheus'>,
): Promise<void> {
  const question = questionOf(bucket, options, context.io.clock.now());
  const { points } = await context.withDaemon((daemon) => daemon.call('metrics.series', question));
  if (context.json) return context.out.json({ ...question, points });
  if (points.length === 0) {
    return context.remark(`no samples of ${bucket} in that time: is monitoring on?`);
  }
  const { metric, statistic } = question;
  const { stdout } = context.io;
  const line = stdout.isTTY ? [lineOf(withGaps(question, points), stdout.columns ?? MAX_BARS)] : [];
  await context.out.lines(
    `${statistic} of ${metric} of ${bucket}`,
    ...line,
    ...seriesLines(question, points),
  );
}

function questionOf(
  bucket: string,
  { since, period, statistic = 'Average', metric = 'BucketSizeBytes' }: MetricsOptions,
  now: number,
): Series {
  const from = since === undefined ? now - DEFAULT_SINCE_MS : sinceOf(since, now);
  return {
    bucket,
    metric: metricOf(metric),
    statistic: choice('statistic', statistic, STATISTICS),
    periodMs: period === undefined ? usualPeriod(now - from) : parseDuration(period, MAX_PERIOD_MS),
    from,
    to: now,
  };
}

export function metricOf(text: string): Metric {
  return choice('metric', text, METRICS, { size: 'BucketSizeBytes', objects: 'NumberOfObjects' });
}

/** Parses a past time. A duration such as `1d` means that long ago. */
function sinceOf(text: string, now: number): number {
  return parseWhen(text, now);
}

function usualPeriod(lengthMs: number): number {
  const fitting = USUAL_PERIODS_MS.find((periodMs) => lengthMs / periodMs <= USUAL_ROWS);
  return fitting ?? DAY_MS;
}

/** The maximum number of bars. A wider chart is hard to read. */
const MAX_BARS = 80;

function lineOf(values: readonly (number | undefined)[], columns: number): string {
  const bars = Math.max(1, Math.min(columns, MAX_BARS));
  return sparkline(values.length > bars ? resampled(values, bars) : values);
}

type Points = Result<'metrics.series'>['points'];

/**
 * Returns a value for each period from the first point to the last. The value is undefined for a period without
 * samples.
 */
function withGaps({ periodMs }: Series, points: Points): (number | undefined)[] {
  const values = new Map(points.map(({ at, value }) => [at, value]));
  const first = points[0]?.at ?? 0;
  const count = ((points.at(-1)?.at ?? 0) - first) / periodMs + 1;
  return Array.from({ length: count }, (_, index) => values.get(first + index * periodMs));
}

function seriesLines({ metric, statistic, periodMs }: Series, points: Points): string[] {
  const isBytes = metric === 'BucketSizeBytes' && statistic !== 'SampleCount';
  const columns = [
    { title: 'FROM' },
    { title: 'VALUE', align: 'right' },
    { title: 'SAMPLES', align: 'right' },
    { title: '' },
  ] as const;
  const rows = points.map(({ at, value, samples }, index) => {
    const next = points[index + 1];
    const missing = next === undefined ? 0 : (next.at - at) / periodMs - 1;
    return [
      timeText(at),
      isBytes ? bytesText(value) : numberText(value),
      numberText(samples),
      missing > 0 ? `then no samples for ${countText(missing, 'period')}` : '',
    ];
  });
  return tableLines(columns, rows);
}
