/** A bucket's series, as it is asked for: one value a period. */

import type { KnownBucket } from './bucket-table.ts';
import { checkPeriod } from './check-alarm.ts';
import { type Metric, type Statistic, valueOf } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';
import type { SeriesTable } from './series-table.ts';

/** Periods of one answer: a day of minutes, or three months of hours. */
const MAX_PERIODS = 2_500;

export interface SeriesQuestion {
  readonly bucket: string;
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly periodMs: number;
  /** The periods that hold the instants from `from` on and before `to`. */
  readonly from: number;
  readonly to: number;
}

/** A period without a sample is left out. */
export interface SeriesPoint {
  /** Where the period begins. */
  readonly at: number;
  readonly value: number;
  readonly samples: number;
}

/** Throws MonitoringError `BadRequest`. */
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
      `read series: more than ${MAX_PERIODS} periods`,
      'take a longer period, or a shorter time',
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
