/**
 * Stores which deletes the mass-change guard has counted in its time window. A delete counts as a unit: its key, or a
 * whole folder that a tool created. If a delete is planned again after a crash or a pause, it still counts only once.
 */

import type { Records, RecordsTable } from './records.ts';

export class CountedDeletes {
  /** When each unit was counted, in milliseconds since 1970. */
  readonly #records: Records<number>;

  constructor(records: RecordsTable) {
    this.#records = records.of('counted_delete');
  }

  /** Returns the units that were counted at `since` or later. Removes all older units. */
  since(since: number): ReadonlySet<string> {
    this.#records.dropBefore(since);
    return new Set(this.#records.all().map(({ key }) => key));
  }

  countSince(since: number): number {
    return this.#records.range(since).count;
  }

  /** Returns when the first unit since `since` was counted, in milliseconds since 1970; undefined if none was. */
  firstSince(since: number): number | undefined {
    return this.#records.range(since).first;
  }

  /** Replaces counted keys with their units in the map. Must run inside the caller's transaction. */
  regroup(units: ReadonlyMap<string, string>): void {
    for (const [key, unit] of units) {
      const at = this.#records.get({ key });
      if (at === undefined) continue;
      this.#records.drop({ key });
      this.#count(unit, Math.min(at, this.#records.get({ key: unit }) ?? at));
    }
  }

  /** Counts units that are not counted yet. Must run inside the caller's transaction. */
  add(units: Iterable<string>, at: number): void {
    for (const unit of units) if (!this.#records.has({ key: unit })) this.#count(unit, at);
  }

  #count(unit: string, at: number): void {
    this.#records.put({ key: unit }, at, at);
  }
}
