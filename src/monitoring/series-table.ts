/** The series of each bucket, kept at all resolutions at once: rolling up is adding a sample to four points. */

import type { Database, Statement } from 'better-sqlite3';

import { RESOLUTIONS, SECOND_MS, windowStart } from './grid.ts';
import { merged, type Metric, type Sample, type Summary } from './metric.ts';

/** `at` and `endAt` in milliseconds; the window ends before `endAt`. */
export interface SeriesWindow {
  readonly at: number;
  readonly endAt: number;
}

export interface Point extends Summary {
  /** Where its window begins. */
  readonly at: number;
}

interface PointRow extends Summary {
  readonly beginsAt: number;
}

/** One sample, in seconds. */
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
  readonly #read: Readonly<Record<Metric, Statement<[number, number, number, number], PointRow>>>;
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

  /** `at` is the boundary that the sample was taken at; seconds are kept only where they are asked for. */
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

  /** Points of `stepMs` in the window, the oldest first. */
  *read(
    seriesId: number,
    metric: Metric,
    window: SeriesWindow & { stepMs: number },
  ): Generator<Point> {
    const step = window.stepMs / SECOND_MS;
    const [from, to] = [window.at / SECOND_MS, window.endAt / SECOND_MS];
    for (const { beginsAt, ...summary } of this.#read[metric].iterate(seriesId, step, from, to)) {
      yield { ...summary, at: beginsAt * SECOND_MS };
    }
  }

  /** The oldest points beyond what is kept. */
  prune(seriesId: number): void {
    for (const { stepMs, points } of RESOLUTIONS) {
      const step = stepMs / SECOND_MS;
      this.#prune.run(seriesId, step, seriesId, step, points);
    }
  }
}

function prepareRead(
  database: Database,
  columns: Columns,
): Statement<[number, number, number, number], PointRow> {
  return database.prepare(
    `SELECT begins_at AS beginsAt, samples, ${columns}_sum AS sum, ${columns}_minimum AS minimum,
       ${columns}_maximum AS maximum
     FROM point WHERE series_id = ? AND step = ? AND begins_at >= ? AND begins_at < ? ORDER BY begins_at`,
  );
}

/** Points taken together into windows of `periodMs`; a window without any is left out. */
export function* inPeriods(points: Iterable<Point>, periodMs: number): Generator<Point> {
  let window: Point | undefined;
  for (const point of points) {
    const at = Math.floor(point.at / periodMs) * periodMs;
    if (window?.at === at) {
      window = { at, ...merged(window, point) };
      continue;
    }
    if (window) yield window;
    const { at: _, ...summary } = point;
    window = { at, ...summary };
  }
  if (window) yield window;
}
