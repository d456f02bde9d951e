/**
 * Deletes in the window of the mass-change guard: keys, and each folder of a tool as one. A delete that is
 * planned again after a crash or a pause is counted once.
 */

import type { Records, RecordsTable } from './records.ts';

export class CountedDeletes {
  /** When each unit was counted, milliseconds since 1970. */
  readonly #records: Records<number>;

  constructor(records: RecordsTable) {
    this.#records = records.of('counted_delete');
  }

  /** Units counted at `since` or later. Removes older ones. */
  since(since: number): ReadonlySet<string> {
    this.#records.dropBefore(since);
    return new Set(this.#records.all().map(({ key }) => key));
  }

  countSince(since: number): number {
    return this.#records.range(since).count;
  }

  /** When the first of them was planned; undefined for none. */
  firstSince(since: number): number | undefined {
    return this.#records.range(since).first;
  }

  /** Counts keys as the units that they map to. The caller runs this inside a transaction. */
  regroup(units: ReadonlyMap<string, string>): void {
    for (const [key, unit] of units) {
      const at = this.#records.get({ key });
      if (at === undefined) continue;
      this.#records.drop({ key });
      this.#count(unit, Math.min(at, this.#records.get({ key: unit }) ?? at));
    }
  }

  /** The caller runs this inside a transaction. */
  add(units: Iterable<string>, at: number): void {
    for (const unit of units) if (!this.#records.has({ key: unit })) this.#count(unit, at);
  }

  #count(unit: string, at: number): void {
    this.#records.put({ key: unit }, at, at);
  }
}
