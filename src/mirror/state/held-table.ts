/**
 * Keys that wait for the user's decision, with the file and the current version as they were when they were
 * held.
 */

import { isDeepStrictEqual } from 'node:util';

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { Head, LocalEntry } from '../model/types.ts';
import type { HeldRow, Resolution } from '../model/conflict.ts';

type Row = Record<string, string | number | null>;

export class HeldTable {
  readonly #db: Database.Database;
  readonly #keys: Set<string>;
  readonly #requested = new Map<string, HeldRow>();
  readonly #put: Database.Statement<[string, string, number, string | null]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #row: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#keys = new Set(db.prepare('SELECT key FROM held').pluck().all() as string[]);
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO held (key, entry, since, head) VALUES (?, ?, ?, ?)',
    );
    this.#drop = db.prepare('DELETE FROM held WHERE key = ?');
    this.#row = db.prepare<[string]>('SELECT * FROM held WHERE key = ?');
    for (const row of db.prepare('SELECT * FROM held WHERE wish IS NOT NULL').all() as Row[])
      this.#requested.set(String(row['key']), readRow(row));
  }

  /** Holds a key. The requested resolution is kept while both sides are unchanged, and dropped otherwise. */
  hold(key: string, entry: LocalEntry, since: number, head?: Head): void {
    const before = this.get(key);
    if (before && isDeepStrictEqual([before.entry, before.head], [entry, head])) return;
    this.#put.run(key, JSON.stringify(entry), since, head ? JSON.stringify(head) : null);
    this.#keys.add(key);
    this.#requested.delete(key);
  }

  release(key: string): void {
    if (this.#keys.delete(key)) this.#drop.run(key);
    this.#requested.delete(key);
  }

  keys(): ReadonlySet<string> {
    return this.#keys;
  }

  get(key: string): HeldRow | undefined {
    if (!this.#keys.has(key)) return undefined;
    const row = this.#row.get(key) as Row | undefined;
    return row && readRow(row);
  }

  /** Keys held by a conflict: up to `limit` after `key`, in the byte order of keys. */
  conflictsAfter(key: string, limit: number): readonly HeldRow[] {
    const rows = this.#db
      .prepare('SELECT * FROM held WHERE head IS NOT NULL AND key > ? ORDER BY key LIMIT ?')
      .all(key, limit);
    return (rows as Row[]).map(readRow);
  }

  countConflicts(): number {
    return this.#db
      .prepare('SELECT count(*) FROM held WHERE head IS NOT NULL')
      .pluck()
      .get() as number;
  }

  /** Stores the requested resolution of a conflict durably. */
  requestResolution(key: string, wish: Resolution | undefined): void {
    this.#db
      .prepare('UPDATE held SET wish = ? WHERE key = ? AND head IS NOT NULL')
      .run(wish ?? null, key);
    const row = this.get(key);
    if (row?.wish === undefined) this.#requested.delete(key);
    else this.#requested.set(key, row);
  }

  /** Keys whose resolution the user requested and that are not resolved yet. */
  requested(): ReadonlyMap<string, HeldRow> {
    return this.#requested;
  }
}

/** Only this program writes the state file, so the JSON is trusted. */
function readRow(row: Row): HeldRow {
  const head = row['head'] as string | null;
  return defined({
    key: String(row['key']),
    entry: JSON.parse(String(row['entry'])) as LocalEntry,
    since: Number(row['since']),
    head: head === null ? undefined : (JSON.parse(head) as Head),
    wish: (row['wish'] as Resolution | null) ?? undefined,
  });
}
