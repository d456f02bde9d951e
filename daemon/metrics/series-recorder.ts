/** Records the transfers and lags of jobs and the sizes of buckets every minute, for the charts of the dashboard. */

import type { Clock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/durations.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Result } from '../../src/control/messages.ts';
import {
  type BucketMetricsReader,
  bucketSizeBytes,
} from '../../src/engine/reads/bucket-metrics.ts';
import type { RecentValues } from '../../src/monitoring/recent-points.ts';
import type { RecentSeries, RecentValue } from '../../src/monitoring/recent-series.ts';

/** The maximum number of buckets whose sizes are recorded. */
const MAX_BUCKETS = 500;

/** Counters of a job's transfers. They never decrease. */
export interface Totals {
  readonly bytes: number;
  readonly operations: number;
  readonly versions: number;
}

const NOTHING: Totals = { bytes: 0, operations: 0, versions: 0 };

export interface SeriesRecorderOptions {
  readonly recent: RecentSeries;
  readonly transferred: () => ReadonlyMap<string, Totals>;
  /** Returns the lag of each job in milliseconds. */
  readonly lags: () => readonly { readonly name: string; readonly lagMs: number }[];
  readonly buckets: Pick<BucketMetricsReader, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const ALL_JOBS = 'all';
export const jobSubject = (name: string): string => `job ${name}`;
export const bucketSubject = (name: string): string => `bucket ${name}`;

/** Converts values to the form that control methods return. */
export function recentResult({ values, ...times }: RecentValues): Result<'throughput.series'> {
  return { ...times, values: values.map((value) => value ?? null) };
}

export class SeriesRecorder {
  readonly #options: SeriesRecorderOptions;
  /** The totals of each job at its previous sample. */
  #before: ReadonlyMap<string, Totals> = new Map();
  #cancel: (() => void) | undefined;
  /** The reason of the last failure. The same failure is logged only once. */
  #failure: string | undefined;

  constructor(options: SeriesRecorderOptions) {
    this.#options = options;
  }

  /** Starts to take a sample at the end of each minute. */
  start(): void {
    const { clock } = this.#options;
    const now = clock.now();
    const next = Math.floor(now / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    this.#cancel = clock.after(next - now, () => {
      this.#guarded(() => this.#sample());
      this.start();
    });
  }

  /** Deletes the series of a removed job. */
  forgetJob(name: string): void {
    this.#guarded(() => this.#options.recent.forget(jobSubject(name)));
  }

  /** Takes a last sample, and saves all series. */
  close(): void {
    this.#cancel?.();
    this.#guarded(() => {
      this.#sample();
      this.#options.recent.close(this.#options.clock.now());
    });
  }

  #sample(): void {
    const { recent, clock, lags, buckets } = this.#options;
    const jobs = lags();
    const transferred = this.#transferredSince();
    const sizes = buckets.list().slice(0, MAX_BUCKETS);
    const lag = Math.max(0, ...jobs.map(({ lagMs }) => lagMs));
    recent.record(clock.now(), [
      ...valuesOf(ALL_JOBS, sumOf([...transferred.values()]), lag),
      ...jobs.flatMap(({ name, lagMs }) =>
        valuesOf(jobSubject(name), transferred.get(name) ?? NOTHING, lagMs),
      ),
      ...sizes.map((bucket): RecentValue => {
        const value = bucketSizeBytes(bucket);
        return { subject: bucketSubject(bucket.name), metric: 'size', value };
      }),
    ]);
    this.#forgetBuckets(new Set(sizes.map(({ name }) => bucketSubject(name))));
  }

  /** Returns what each job transferred since the previous call. */
  #transferredSince(): ReadonlyMap<string, Totals> {
    const now = new Map(
      [...this.#options.transferred()].map(([name, totals]) => [name, { ...totals }]),
    );
    const before = this.#before;
    this.#before = now;
    return new Map(
      [...now].map(([name, totals]) => [name, difference(totals, before.get(name) ?? NOTHING)]),
    );
  }

  #forgetBuckets(known: ReadonlySet<string>): void {
    const { recent } = this.#options;
    for (const subject of recent.subjects()) {
      if (subject.startsWith(bucketSubject('')) && !known.has(subject)) recent.forget(subject);
    }
  }

  #guarded(work: () => void): void {
    try {
      work();
      this.#failure = undefined;
    } catch (error) {
      const reason = errorMessage(error);
      if (this.#failure !== reason) {
        this.#options.logger.error(
          { reason },
          'cannot record values for charts; retrying every minute',
        );
      }
      this.#failure = reason;
    }
  }
}

function valuesOf(subject: string, totals: Totals, lag: number): RecentValue[] {
  const { bytes, operations, versions } = totals;
  return [
    { subject, metric: 'bytes', value: bytes },
    { subject, metric: 'operations', value: operations },
    { subject, metric: 'versions', value: versions },
    { subject, metric: 'lag', value: lag },
  ];
}

/** Returns the increase of the totals. A job that was added again has a new meter, whose totals start at 0. */
function difference(now: Totals, before: Totals): Totals {
  const since = (metric: keyof Totals) =>
    now[metric] >= before[metric] ? now[metric] - before[metric] : now[metric];
  return {
    bytes: since('bytes'),
    operations: since('operations'),
    versions: since('versions'),
  };
}

function sumOf(all: readonly Totals[]): Totals {
  const sum = (metric: keyof Totals) => all.reduce((total, each) => total + each[metric], 0);
  return { bytes: sum('bytes'), operations: sum('operations'), versions: sum('versions') };
}
