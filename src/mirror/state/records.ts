/**
 * Small records of the job, each kind with its own type: one table, with a JSON value in each row. What is
 * queried by other columns has a table of its own.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

/** Stored in the state file: never change or reuse a name. */
export type RecordKind =
  /** Few values by name. */
  | 'meta'
  /** Totals of the baseline. */
  | 'totals'
  | 'held_conflict'
  | 'pending_replacement'
  | 'anomaly'
  | 'counted_delete'
  | 'deleted_file'
  | 'forgotten_file'
  | 'recent_version'
  | 'retained_version'
  | 'foreign_version'
  | 'version_time'
  | 'damaged_version'
  | 'upload_part';

export interface RecordName {
  /** A key below the prefix, if the kind does not say otherwise. */
  readonly key: string;
  /** Distinguishes records of one key, such as its versions; empty if a key has only one. */
  readonly part?: string;
}

export interface StoredRecord<T> extends Required<RecordName> {
  readonly value: T;
}

/** As the table has it: `value` is JSON. */
export interface RecordRow extends Required<RecordName> {
  readonly value: string;
}

interface Position {
  readonly kind: RecordKind;
  readonly sortKey: number;
  readonly limit: number;
}

interface Range {
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
}

/** No limit. */
const ALL = -1;
const NO_RANGE: Range = { first: null, last: null, count: 0 };
const COLUMNS = 'key, part, value';

/** The statements of all kinds. */
export class RecordsTable {
  readonly db: Database.Database;
  readonly get;
  readonly put;
  readonly drop;
  readonly after;
  readonly among;
  readonly earliest;
  readonly range;
  readonly dropBefore;

  constructor(db: Database.Database) {
    this.db = db;
    this.get = db
      .prepare<[RecordKind, string, string], string>(
        'SELECT value FROM records WHERE kind = ? AND key = ? AND part = ?',
      )
      .pluck();
    this.put = db.prepare<[RecordKind, string, string, number | null, string]>(
      'INSERT OR REPLACE INTO records (kind, key, part, sort_key, value) VALUES (?, ?, ?, ?, ?)',
    );
    this.drop = db.prepare<[RecordKind, string, string]>(
      'DELETE FROM records WHERE kind = ? AND key = ? AND part = ?',
    );
    this.after = db.prepare<[RecordKind, string, string, number], RecordRow>(
      `SELECT ${COLUMNS} FROM records WHERE kind = ? AND (key, part) > (?, ?) ORDER BY key, part LIMIT ?`,
    );
    this.among = db.prepare<[RecordKind, string], RecordRow>(
      `SELECT ${COLUMNS} FROM records WHERE kind = ? AND key IN (SELECT value FROM json_each(?))`,
    );
    this.earliest = db.prepare<[Position], RecordRow>(
      `SELECT ${COLUMNS} FROM records WHERE kind = @kind AND sort_key <= @sortKey
        ORDER BY sort_key, key, part LIMIT @limit`,
    );
    this.range = db.prepare<[RecordKind, number], Range>(
      `SELECT min(sort_key) AS first, max(sort_key) AS last, count(*) AS count FROM records
        WHERE kind = ? AND sort_key >= ?`,
    );
    this.dropBefore = db.prepare<[RecordKind, number]>(
      'DELETE FROM records WHERE kind = ? AND sort_key < ?',
    );
  }

  of<T>(kind: RecordKind): Records<T> {
    return new Records<T>(kind, this);
  }
}

/** The records of one kind. Each write is a commit, unless the caller runs it inside a transaction. */
export class Records<T> {
  readonly #kind: RecordKind;
  readonly #table: RecordsTable;
  /**
   * Some kinds are queried for each file, and have no records in most jobs. After all records were dropped, it
   * may stay false until the next start.
   */
  #isEmpty: boolean;

  constructor(kind: RecordKind, table: RecordsTable) {
    this.#kind = kind;
    this.#table = table;
    this.#isEmpty =
      table.db.prepare('SELECT 1 FROM records WHERE kind = ? LIMIT 1').get(kind) === undefined;
  }

  get({ key, part = '' }: RecordName): T | undefined {
    if (this.#isEmpty) return undefined;
    const value = this.#table.get.get(this.#kind, key, part);
    return value === undefined ? undefined : (JSON.parse(value) as T);
  }

  has(name: RecordName): boolean {
    return this.get(name) !== undefined;
  }

  /** Replaces the record, if there is one. `sortKey`: the time or number that the kind is ordered by, if it is. */
  put({ key, part = '' }: RecordName, value: T, sortKey?: number): void {
    this.#isEmpty = false;
    this.#table.put.run(this.#kind, key, part, sortKey ?? null, JSON.stringify(value));
  }

  /** Returns whether there was one. */
  drop({ key, part = '' }: RecordName): boolean {
    return !this.#isEmpty && this.#table.drop.run(this.#kind, key, part).changes > 0;
  }

  /** All records, by key and part. */
  all(): readonly StoredRecord<T>[] {
    return this.after({ key: '' }, ALL);
  }

  /** Up to `limit` records after this name, by key and part. No record has an empty key and an empty part. */
  after({ key, part = '' }: RecordName, limit: number): readonly StoredRecord<T>[] {
    if (this.#isEmpty) return [];
    return this.#table.after.all(this.#kind, key, part, limit).map(parseRecord<T>);
  }

  among(keys: readonly string[]): readonly StoredRecord<T>[] {
    if (this.#isEmpty) return [];
    return this.#table.among.all(this.#kind, JSON.stringify(keys)).map(parseRecord<T>);
  }

  keysAmong(keys: readonly string[]): ReadonlySet<string> {
    return new Set(this.among(keys).map(({ key }) => key));
  }

  /** Up to `limit` records with a sort key up to this one, in their order. */
  earliest(sortKey = Number.MAX_SAFE_INTEGER, limit = ALL): readonly StoredRecord<T>[] {
    if (this.#isEmpty) return [];
    return this.#table.earliest.all({ kind: this.#kind, sortKey, limit }).map(parseRecord<T>);
  }

  /** The least sort key from `from` on, the greatest one, and the number of records between. */
  range(from = 0): { readonly first?: number; readonly last?: number; readonly count: number } {
    if (this.#isEmpty) return { count: 0 };
    const { first, last, count } = this.#table.range.get(this.#kind, from) ?? NO_RANGE;
    return { count, ...defined({ first: first ?? undefined, last: last ?? undefined }) };
  }

  dropBefore(sortKey: number): void {
    if (!this.#isEmpty) this.#table.dropBefore.run(this.#kind, sortKey);
  }

  dropAll(): void {
    if (this.#isEmpty) return;
    this.#table.db.prepare('DELETE FROM records WHERE kind = ?').run(this.#kind);
  }
}

/** Only this program writes the state file, so the JSON is trusted. */
export function parseRecord<T>({ key, part, value }: RecordRow): StoredRecord<T> {
  return { key, part, value: JSON.parse(value) as T };
}
