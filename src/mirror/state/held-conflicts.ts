/**
 * Stores the keys that are held until the user decides. Each record contains the file and the object's current version
 * as they were when the key was held.
 */

import { isDeepStrictEqual } from 'node:util';

import { defined } from '../../base/defined.ts';
import type { HeldRow, Resolution } from '../model/conflict.ts';
import type { Head, LocalEntry } from '../model/types.ts';
import type { Records, RecordsTable } from './records.ts';

type HeldConflict = Omit<HeldRow, 'key'>;

export class HeldConflicts {
  readonly #records: Records<HeldConflict>;
  readonly #keys = new Set<string>();
  /** Keys with a current version. The user can request a resolution for them. */
  readonly #conflicts = new Set<string>();
  readonly #requested = new Map<string, HeldRow>();

  constructor(records: RecordsTable) {
    this.#records = records.of('held_conflict');
    for (const { key, value } of this.#records.all()) this.#know(key, value);
  }

  /**
   * Holds a key. A requested resolution stays valid as long as the file and the current version do not change.
   * Otherwise the resolution is dropped.
   */
  hold(key: string, entry: LocalEntry, since: number, head?: Head): void {
    const before = this.get(key);
    if (before && isDeepStrictEqual([before.entry, before.head], [entry, head])) return;
    this.#put(key, { entry, since, ...defined({ head }) });
  }

  release(key: string): void {
    if (this.#keys.delete(key)) this.#records.drop({ key });
    this.#conflicts.delete(key);
    this.#requested.delete(key);
  }

  keys(): ReadonlySet<string> {
    return this.#keys;
  }

  get(key: string): HeldRow | undefined {
    const held = this.#keys.has(key) ? this.#records.get({ key }) : undefined;
    return held && { key, ...held };
  }

  /** Returns up to `limit` keys after `key` that are held because of a conflict, in byte order. */
  conflictsAfter(key: string, limit: number): readonly HeldRow[] {
    const found: HeldRow[] = [];
    for (let after = key; found.length < limit;) {
      const rows = this.#records.after({ key: after }, limit);
      for (const row of rows) if (row.value.head) found.push({ key: row.key, ...row.value });
      if (rows.length < limit) break;
      after = rows.at(-1)?.key ?? after;
    }
    return found.slice(0, limit);
  }

  countConflicts(): number {
    return this.#conflicts.size;
  }

  /** Stores durably the resolution that the user requested for a conflict. */
  requestResolution(key: string, wish: Resolution | undefined): void {
    const held = this.#conflicts.has(key) ? this.#records.get({ key }) : undefined;
    if (held) this.#put(key, defined({ ...held, wish }));
  }

  /** Returns the unresolved keys for which the user requested a resolution. */
  requested(): ReadonlyMap<string, HeldRow> {
    return this.#requested;
  }

  #put(key: string, held: HeldConflict): void {
    this.#records.put({ key }, held);
    this.#know(key, held);
  }

  #know(key: string, held: HeldConflict): void {
    this.#keys.add(key);
    if (held.head) this.#conflicts.add(key);
    else this.#conflicts.delete(key);
    if (held.wish === undefined) this.#requested.delete(key);
    else this.#requested.set(key, { key, ...held });
  }
}
