/**
 * Keys that wait for the user's decision, with the file and the current version as they were when they were
 * held.
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
  /** Keys with a current version, whose resolution the user can request. */
  readonly #conflicts = new Set<string>();
  readonly #requested = new Map<string, HeldRow>();

  constructor(records: RecordsTable) {
    this.#records = records.of('held_conflict');
    for (const { key, value } of this.#records.all()) this.#know(key, value);
  }

  /** Holds a key. The requested resolution is kept while both sides are unchanged, and dropped otherwise. */
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

  /** Keys held by a conflict: up to `limit` after `key`, in the byte order of keys. */
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

  /** Stores the requested resolution of a conflict durably. */
  requestResolution(key: string, wish: Resolution | undefined): void {
    const held = this.#conflicts.has(key) ? this.#records.get({ key }) : undefined;
    if (held) this.#put(key, defined({ ...held, wish }));
  }

  /** Keys whose resolution the user requested and that are not resolved yet. */
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
