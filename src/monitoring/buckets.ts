/** The buckets in the monitoring database. The series and alarms of a bucket that the store has deleted are deleted. */

import type { BucketTable, KnownBucket } from './bucket-table.ts';
import type { Sample } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';
import type { Tables } from './tables.ts';

export interface BucketNumbers extends Sample {
  /** The store never uses this id for another bucket. */
  readonly bucketId: number;
}

/** Returns the current size of a bucket, in constant time; undefined if the bucket does not exist. */
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

  /** Throws MonitoringError `NotFound`. */
  numbersOf(bucket: string): BucketNumbers {
    const numbers = this.#numbersOf(bucket);
    if (numbers) return numbers;
    const hint = 'to list the buckets: holdfast metrics';
    throw new MonitoringError('NotFound', `unknown bucket "${bucket}"`, hint);
  }

  /** Returns the existing buckets that are or were monitored, or have alarms. */
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

  /** Adds the bucket if it is not recorded yet. Returns the id of its series. Throws MonitoringError `NotFound`. */
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
