/** Reads the values of a bucket's metric over time, with one value for each period that has samples. */

import type { KnownBucket } from './bucket-table.ts';
import { checkPeriod } from './check-alarm.ts';
import { type Metric, type Statistic, valueOf } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';
import type { SeriesTable } from './series-table.ts';

/**
 * The maximum number of periods in a query. It is more than a day of one-minute periods, or three
 * months of one-hour periods.
 */
const MAX_PERIODS = 2_500;

export interface SeriesQuestion {
  readonly bucket: string;
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly periodMs: number;
  /** The first period contains this time. Milliseconds since 1970. */
  readonly from: number;
  /** The last period begins before this time. Milliseconds since 1970. */
  readonly to: number;
}

/** The value of one period. A period without a sample has no point. */
export interface SeriesPoint {
  /** The start of the period in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  readonly samples: number;
}

/**
 * Returns the points of the periods, oldest first. Returns no points if `bucket` is undefined. Throws MonitoringError
 * `BadRequest` for an invalid period or too many periods.
 */
export function readSeries(
  table: SeriesTable,
  bucket: KnownBucket | undefined,
  { metric, statistic, periodMs, from, to }: SeriesQuestion,
): readonly SeriesPoint[] {
  checkPeriod(periodMs);
  const at = Math.floor(from / periodMs) * periodMs;
  const endAt = Math.ceil(to / periodMs) * periodMs;
  if ((endAt - at) / periodMs > MAX_PERIODS) {
    throw new MonitoringError(
      'BadRequest',
      `cannot return more than ${MAX_PERIODS} periods`,
      'choose a longer period or a shorter time range',
    );
  }
  if (!bucket) return [];
  const periods = table.read(bucket.seriesId, metric, { at, endAt, periodMs });
  return periods.map((period) => ({
    at: period.at,
    value: valueOf(period, statistic),
    samples: period.samples,
  }));
}
