/**
 * Finds and adds buckets in the monitoring database. If the store has deleted a bucket, the bucket's series and alarms
 * are deleted too.
 */

import type { BucketTable, KnownBucket } from './bucket-table.ts';
import type { Sample } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';
import type { Tables } from './tables.ts';

export interface BucketNumbers extends Sample {
  /** The ID of the bucket in the store. The store never reuses an ID. */
  readonly bucketId: number;
}

/**
 * Returns the ID, size and object count of a bucket in constant time. Returns undefined if the
 * bucket does not exist.
 */
export type NumbersOf = (bucket: string) => BucketNumbers | undefined;

export class Buckets {
  readonly #tables: Tables;
  readonly #table: BucketTable;
  readonly #numbersOf: NumbersOf;
  readonly #onAlarmGone: (name: string) => void;

  constructor(tables: Tables, numbersOf: NumbersOf, onAlarmGone: (name: string) => void) {
    this.#tables = tables;
    this.#table = tables.buckets;
    this.#numbersOf = numbersOf;
    this.#onAlarmGone = onAlarmGone;
  }

  /**
   * Returns the ID, size and object count of a bucket. Throws MonitoringError `NotFound` if the bucket does not exist.
   */
  numbersOf(bucket: string): BucketNumbers {
    const numbers = this.#numbersOf(bucket);
    if (numbers) return numbers;
    const hint = 'to list the buckets: holdfast monitor metrics';
    throw new MonitoringError('NotFound', `unknown bucket "${bucket}"`, hint);
  }

  /**
   * Returns the existing buckets that are or were monitored, or that have alarms. Deletes the series and alarms of
   * buckets that no longer exist.
   */
  known(): readonly KnownBucket[] {
    const all = this.#table.all();
    const deleted = all.filter(
      ({ name, bucketId }) => this.#numbersOf(name)?.bucketId !== bucketId,
    );
    if (deleted.length === 0) return all;
    for (const { seriesId } of deleted) this.#forget(seriesId);
    return all.filter((bucket) => !deleted.includes(bucket));
  }

  find(name: string): KnownBucket | undefined {
    this.numbersOf(name);
    return this.known().find((bucket) => bucket.name === name);
  }

  /**
   * Adds the bucket to the database unless it is there, and returns the ID of its series. Throws MonitoringError
   * `NotFound` if the bucket does not exist in the store.
   */
  ensure(name: string): number {
    const { bucketId } = this.numbersOf(name);
    const known = this.find(name);
    return known?.seriesId ?? this.#tables.durably(() => this.#table.insert(bucketId, name));
  }

  #forget(seriesId: number): void {
    const alarms = this.#tables.alarms.all().filter((alarm) => alarm.seriesId === seriesId);
    this.#tables.durably(() => this.#table.remove(seriesId));
    for (const { name } of alarms) this.#onAlarmGone(name);
  }
}
