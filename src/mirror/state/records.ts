/**
 * Stores small values of the job in one table, with one JSON value per row. Each kind of record has its own type. Data
 * that must be queried by other columns has its own table.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

/** Kinds of records. The names are stored in the state file, so never change or reuse one. */
export type RecordKind =
  /** Individual values of the job, by name. */
  | 'meta'
  /** The baseline table's totals. */
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
  /** A key relative to the prefix, unless the kind of record defines it differently. */
  readonly key: string;
  /** Distinguishes several records with the same key, for example by version id. Empty if a key has only one record. */
  readonly part?: string;
}

export interface StoredRecord<T> extends Required<RecordName> {
  readonly value: T;
}

/** A row in the table of records. `value` is JSON. */
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

/** The SQL LIMIT value that means "no limit". */
const ALL = -1;
const NO_RANGE: Range = { first: null, last: null, count: 0 };
const COLUMNS = 'key, part, value';

/** The table that contains all records, with its prepared statements. */
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

/** The records of one kind. Each write has its own transaction, unless the caller has started one. */
export class Records<T> {
  readonly #kind: RecordKind;
  readonly #table: RecordsTable;
  /**
   * Whether this kind of record is empty. The value is cached, because some kinds are queried for each file but
   * are empty in most jobs. After all records are removed, it stays false until the next start.
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

  /**
   * Stores a record, or replaces the existing one. `sortKey` is the time or number that orders the records, if there is
   * one.
   */
  put({ key, part = '' }: RecordName, value: T, sortKey?: number): void {
    this.#isEmpty = false;
    this.#table.put.run(this.#kind, key, part, sortKey ?? null, JSON.stringify(value));
  }

  /** Removes a record. Returns whether the record existed. */
  drop({ key, part = '' }: RecordName): boolean {
    return !this.#isEmpty && this.#table.drop.run(this.#kind, key, part).changes > 0;
  }

  /** Returns all records of this kind, ordered by key and part. */
  all(): readonly StoredRecord<T>[] {
    return this.after({ key: '' }, ALL);
  }

  /**
   * Returns up to `limit` records after this name, ordered by key and part. No record has both an empty key and an
   * empty part, so an empty name starts at the first record.
   */
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

  /** Returns up to `limit` records with a sort key of at most `sortKey`, ordered by sort key. */
  earliest(sortKey = Number.MAX_SAFE_INTEGER, limit = ALL): readonly StoredRecord<T>[] {
    if (this.#isEmpty) return [];
    return this.#table.earliest.all({ kind: this.#kind, sortKey, limit }).map(parseRecord<T>);
  }

  /**
   * Returns the smallest sort key that is at least `from`, the largest sort key, and the number of records between
   * them.
   */
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

/** Parses a row's value. The JSON is not validated, because only Holdfast writes the state file. */
export function parseRecord<T>({ key, part, value }: RecordRow): StoredRecord<T> {
  return { key, part, value: JSON.parse(value) as T };
}
