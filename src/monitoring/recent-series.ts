/**
 * Records recent metric values of jobs and buckets for charts. The number of series is limited and each series has a
 * fixed size, so that all series together need less than 5 MiB in memory and on disk.
 */

import { MINUTE_MS } from '../base/durations.ts';
import {
  type Combine,
  POINTS_BYTES,
  RecentPoints,
  type RecentValues,
  type SpanName,
} from './recent-points.ts';
import type { Tables } from './tables.ts';

/**
 * The recorded metrics. `bytes` and `operations` are transfers. `lag` is in milliseconds. `size` is the size of a
 * bucket.
 */
export const RECENT_METRICS = ['bytes', 'operations', 'versions', 'lag', 'size'] as const;
export type RecentMetric = (typeof RECENT_METRICS)[number];

const COMBINE: Readonly<Record<RecentMetric, Combine>> = {
  bytes: 'sum',
  operations: 'sum',
  versions: 'sum',
  lag: 'largest',
  size: 'last',
};

/** The maximum number of series. Each series is a database row that takes a page of 4 KiB. */
export const MAX_SERIES = 1_000;

/** How often the values are saved. A crash loses at most the values since the last save. */
const SAVE_EVERY_MS = 10 * MINUTE_MS;

/** A metric value for the time since the previous value. */
export interface RecentValue {
  /** The job or bucket that the value belongs to: `all`, `job NAME` or `bucket NAME`. */
  readonly subject: string;
  readonly metric: RecentMetric;
  readonly value: number;
}

interface Series {
  readonly subject: string;
  readonly metric: RecentMetric;
  readonly points: RecentPoints;
  lastValue: number | undefined;
  /** Whether the series has unsaved values. */
  isNew: boolean;
  /**
   * Whether the unsaved values must be saved before the daemon stops. Values that only show inactivity need not be
   * saved.
   */
  isChanged: boolean;
}

export class RecentSeries {
  readonly #tables: Tables;
  readonly #series = new Map<string, Series>();
  #savedAt: number;

  /** Reads the saved series. `now` is in milliseconds since 1970. */
  constructor(tables: Tables, now: number) {
    this.#tables = tables;
    this.#savedAt = now;
    const stored = tables.recent.all();
    for (const { subject, metric, sampledAt, points: bytes } of stored.slice(0, MAX_SERIES)) {
      if (!isMetric(metric) || bytes.byteLength !== POINTS_BYTES) continue;
      const points = new RecentPoints(COMBINE[metric], { sampledAt, bytes });
      const lastValue = metric === 'size' ? lastOf(points.read('hour', sampledAt + MINUTE_MS)) : 0;
      this.#put({ subject, metric, points, lastValue, isNew: false, isChanged: false });
    }
  }

  /** The memory that all points use, in bytes. */
  get bytes(): number {
    return this.#series.size * POINTS_BYTES;
  }

  /** Returns the subjects that have series. */
  subjects(): ReadonlySet<string> {
    return new Set([...this.#series.values()].map(({ subject }) => subject));
  }

  /**
   * Adds values that were sampled at `at`. If there are already `MAX_SERIES` series, values of new series are
   * ignored. Writes to disk at most every ten minutes, and only if a value has changed or is not 0.
   */
  record(at: number, values: readonly RecentValue[]): void {
    for (const each of values) this.#add(at, each);
    if (at >= this.#savedAt && at - this.#savedAt < SAVE_EVERY_MS) return;
    this.#savedAt = at;
    this.#save([...this.#series.values()].filter(({ isChanged }) => isChanged));
  }

  /** Returns the values of a series. For an unknown series, all values are undefined. */
  read(subject: string, metric: RecentMetric, span: SpanName, now: number): RecentValues {
    const known = this.#series.get(keyOf(subject, metric));
    return (known?.points ?? new RecentPoints(COMBINE[metric])).read(span, now);
  }

  /** Deletes all series of the subject. */
  forget(subject: string): void {
    const own = [...this.#series].filter(([, series]) => series.subject === subject);
    if (own.length === 0) return;
    for (const [key] of own) this.#series.delete(key);
    this.#tables.loosely(() => this.#tables.recent.remove(subject));
  }

  /** Saves all values, and deletes series without values in the last 30 days. */
  close(now: number): void {
    const series = [...this.#series.values()].filter(({ isNew }) => isNew);
    if (series.length === 0) return;
    this.#save(series);
    this.#tables.loosely(() => this.#tables.recent.removeOld(now));
  }

  #add(at: number, { subject, metric, value }: RecentValue): void {
    const known = this.#series.get(keyOf(subject, metric));
    if (!known && this.#series.size >= MAX_SERIES) return;
    const series = known ?? newSeries(subject, metric);
    if (!known) this.#put(series);
    series.points.add(at, value);
    series.isNew = true;
    series.isChanged ||= metric === 'size' ? value !== series.lastValue : value !== 0;
    series.lastValue = value;
  }

  #put(series: Series): void {
    this.#series.set(keyOf(series.subject, series.metric), series);
  }

  #save(changed: readonly Series[]): void {
    if (changed.length === 0) return;
    const { recent } = this.#tables;
    this.#tables.loosely(() => {
      for (const { subject, metric, points } of changed) {
        recent.put({ subject, metric, sampledAt: points.sampledAt ?? 0, points: points.bytes() });
      }
    });
    for (const series of changed) Object.assign(series, { isNew: false, isChanged: false });
  }
}

function newSeries(subject: string, metric: RecentMetric): Series {
  const points = new RecentPoints(COMBINE[metric]);
  return { subject, metric, points, lastValue: undefined, isNew: false, isChanged: false };
}

function keyOf(subject: string, metric: RecentMetric): string {
  return `${metric} ${subject}`;
}

function isMetric(text: string): text is RecentMetric {
  return RECENT_METRICS.some((metric) => metric === text);
}

function lastOf({ values }: RecentValues): number | undefined {
  return values.findLast((value) => value !== undefined);
}
