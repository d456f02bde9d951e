/** Reads and writes the table of buckets. It contains buckets that are or were monitored, or that have alarms. */

import type { Database, Statement } from 'better-sqlite3';

/** A bucket in the monitoring database. */
export interface KnownBucket {
  readonly seriesId: number;
  readonly bucketId: number;
  readonly name: string;
  readonly monitored: boolean;
}

interface BucketRow extends Omit<KnownBucket, 'monitored'> {
  readonly monitored: 0 | 1;
}

const COLUMNS = 'series_id AS seriesId, bucket_id AS bucketId, name, monitored';

export class BucketTable {
  readonly #all: Statement<[], BucketRow>;
  readonly #find: Statement<[string], BucketRow>;
  readonly #insert: Statement<[number, string]>;
  readonly #setMonitored: Statement<[number, number]>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    this.#all = database.prepare(`SELECT ${COLUMNS} FROM bucket ORDER BY name`);
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM bucket WHERE name = ?`);
    this.#insert = database.prepare(
      'INSERT INTO bucket (bucket_id, name, monitored) VALUES (?, ?, 0)',
    );
    this.#setMonitored = database.prepare('UPDATE bucket SET monitored = ? WHERE series_id = ?');
    this.#remove = database.prepare('DELETE FROM bucket WHERE series_id = ?');
  }

  all(): readonly KnownBucket[] {
    return this.#all.all().map(known);
  }

  find(name: string): KnownBucket | undefined {
    const row = this.#find.get(name);
    return row && known(row);
  }

  insert(bucketId: number, name: string): number {
    return Number(this.#insert.run(bucketId, name).lastInsertRowid);
  }

  setMonitored(seriesId: number, monitored: boolean): void {
    this.#setMonitored.run(monitored ? 1 : 0, seriesId);
  }

  /** Deletes the bucket with its series, its alarms, and their history and pending actions. */
  remove(seriesId: number): void {
    this.#remove.run(seriesId);
  }
}

function known({ monitored, ...row }: BucketRow): KnownBucket {
  return { ...row, monitored: monitored === 1 };
}
