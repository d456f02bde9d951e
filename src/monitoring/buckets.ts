/** Which buckets of the store are known here. What belonged to one that is gone goes, its alarms too. */

import type { BucketTable, KnownBucket } from './bucket-table.ts';
import type { Sample } from './metric.ts';
import { MonitoringError } from './monitoring-error.ts';
import type { Tables } from './tables.ts';

export interface BucketNumbers extends Sample {
  /** Never used again for another bucket. */
  readonly bucketId: number;
}

/** What a bucket holds now, in constant time; undefined where there is none of that name. */
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

  /** Those that are or were monitored, or have alarms. */
  known(): readonly KnownBucket[] {
    const all = this.#table.all();
    const gone = all.filter(({ name, bucketId }) => this.#numbersOf(name)?.bucketId !== bucketId);
    if (gone.length === 0) return all;
    for (const { seriesId } of gone) this.#forget(seriesId);
    return all.filter((bucket) => !gone.includes(bucket));
  }

  find(name: string): KnownBucket | undefined {
    this.numbersOf(name);
    return this.known().find((bucket) => bucket.name === name);
  }

  /** Known from now on. */
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
