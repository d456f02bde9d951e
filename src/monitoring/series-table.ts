/**
 * Reads and writes the series of each bucket at all resolutions. Each resolution has one point to which a sample is
 * added. One-second points are stored only if an alarm needs them.
 */

import type { Database, Statement } from 'better-sqlite3';

import { SECOND_MS } from '../base/durations.ts';
import { resolutionFor, RESOLUTIONS, windowStart } from './grid.ts';
import type { Metric, Sample, Summary } from './metric.ts';

/**
 * The periods between `at` and `endAt`. Both times are in milliseconds since 1970 and must be
 * multiples of `periodMs`.
 */
export interface SeriesWindow {
  readonly at: number;
  readonly endAt: number;
  readonly periodMs: number;
}

/** The aggregate of all samples in a period. */
export interface PeriodSummary extends Summary {
  /** The start of the period in milliseconds since 1970. */
  readonly at: number;
}

interface PeriodRow extends Summary {
  readonly beginsAt: number;
}

interface ReadValues {
  readonly seriesId: number;
  readonly step: number;
  readonly from: number;
  readonly to: number;
  readonly period: number;
}

/**
 * A sample, and the window of the point that it is added to. `step` and `beginsAt` are in seconds.
 */
interface NewPoint {
  readonly seriesId: number;
  readonly step: number;
  readonly beginsAt: number;
  readonly bytes: number;
  readonly objects: number;
}

type Columns = 'bytes' | 'objects';
const COLUMNS: Readonly<Record<Metric, Columns>> = {
  BucketSizeBytes: 'bytes',
  NumberOfObjects: 'objects',
};

export class SeriesTable {
  readonly #add: Statement<[NewPoint]>;
  readonly #read: Readonly<Record<Metric, Statement<[ReadValues], PeriodRow>>>;
  readonly #prune: Statement<
    [series: number, step: number, series: number, step: number, points: number]
  >;

  constructor(database: Database) {
    this.#add = database.prepare(
      `INSERT INTO point VALUES (
         @seriesId, @step, @beginsAt, 1, @bytes, @bytes, @bytes, @objects, @objects, @objects)
       ON CONFLICT DO UPDATE SET samples = samples + 1, bytes_sum = bytes_sum + @bytes,
         bytes_minimum = min(bytes_minimum, @bytes), bytes_maximum = max(bytes_maximum, @bytes),
         objects_sum = objects_sum + @objects, objects_minimum = min(objects_minimum, @objects),
         objects_maximum = max(objects_maximum, @objects)`,
    );
    this.#read = {
      BucketSizeBytes: prepareRead(database, COLUMNS.BucketSizeBytes),
      NumberOfObjects: prepareRead(database, COLUMNS.NumberOfObjects),
    };
    this.#prune = database.prepare(
      `DELETE FROM point WHERE series_id = ? AND step = ? AND begins_at <= (
         SELECT begins_at FROM point WHERE series_id = ? AND step = ? ORDER BY begins_at DESC LIMIT 1 OFFSET ?)`,
    );
  }

  /**
   * Adds a sample that was taken at the boundary `at`. Stores one-second points only if
   * `withSeconds` is true.
   */
  add(
    seriesId: number,
    sample: Sample,
    { at, withSeconds }: { at: number; withSeconds: boolean },
  ): void {
    for (const { stepMs } of RESOLUTIONS) {
      if (stepMs === SECOND_MS && !withSeconds) continue;
      const beginsAt = windowStart(at, stepMs) / SECOND_MS;
      const { BucketSizeBytes: bytes, NumberOfObjects: objects } = sample;
      this.#add.run({ seriesId, step: stepMs / SECOND_MS, beginsAt, bytes, objects });
    }
  }

  /** Returns the periods that have samples, oldest first. */
  read(seriesId: number, metric: Metric, window: SeriesWindow): readonly PeriodSummary[] {
    const { at, endAt, periodMs } = window;
    const { stepMs } = resolutionFor(periodMs);
    const [step, from, to] = [stepMs / SECOND_MS, at / SECOND_MS, endAt / SECOND_MS];
    const values = { seriesId, step, from, to, period: periodMs / SECOND_MS };
    return this.#read[metric].all(values).map(periodOf);
  }

  /** Deletes the oldest points of each resolution beyond its maximum number of points. */
  prune(seriesId: number): void {
    for (const { stepMs, points } of RESOLUTIONS) {
      const step = stepMs / SECOND_MS;
      this.#prune.run(seriesId, step, seriesId, step, points);
    }
  }
}

function prepareRead(database: Database, columns: Columns): Statement<[ReadValues], PeriodRow> {
  return database.prepare(
    `SELECT begins_at / CAST(@period AS INTEGER) * CAST(@period AS INTEGER) AS beginsAt, sum(samples) AS samples,
       sum(${columns}_sum) AS sum, min(${columns}_minimum) AS minimum, max(${columns}_maximum) AS maximum
     FROM point WHERE series_id = @seriesId AND step = @step AND begins_at >= @from AND begins_at < @to
     GROUP BY beginsAt ORDER BY beginsAt`,
  );
}

function periodOf({ beginsAt, samples, sum, minimum, maximum }: PeriodRow): PeriodSummary {
  return { at: beginsAt * SECOND_MS, samples, sum, minimum, maximum };
}
