/** Stores the recent metric values of jobs and buckets in the monitoring database. */

import type { Database, Statement } from 'better-sqlite3';

import { OLDEST_MS } from './recent-points.ts';

export interface StoredSeries {
  readonly subject: string;
  readonly metric: string;
  /** When the last value was added, in milliseconds since 1970. */
  readonly sampledAt: number;
  readonly points: Buffer;
}

export class RecentTable {
  readonly #all: Statement<[], StoredSeries>;
  readonly #put: Statement<[StoredSeries]>;
  readonly #remove: Statement<[string]>;
  readonly #removeOld: Statement<[number]>;

  constructor(database: Database) {
    this.#all = database.prepare(
      'SELECT subject, metric, sampled_at AS sampledAt, points FROM recent ORDER BY sampled_at DESC',
    );
    this.#put = database.prepare(
      `INSERT INTO recent VALUES (@subject, @metric, @sampledAt, @points)
       ON CONFLICT DO UPDATE SET sampled_at = excluded.sampled_at, points = excluded.points`,
    );
    this.#remove = database.prepare('DELETE FROM recent WHERE subject = ?');
    this.#removeOld = database.prepare('DELETE FROM recent WHERE sampled_at < ?');
  }

  /** Returns all series, ordered from the newest last value to the oldest. */
  all(): readonly StoredSeries[] {
    return this.#all.all();
  }

  put(series: StoredSeries): void {
    this.#put.run(series);
  }

  /** Deletes all series of a subject. */
  remove(subject: string): void {
    this.#remove.run(subject);
  }

  /** Deletes the series whose values are all older than the longest span. */
  removeOld(now: number): void {
    this.#removeOld.run(now - OLDEST_MS);
  }
}
