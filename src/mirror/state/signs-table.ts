/**
 * Anomalies: files whose new content looks encrypted, and their last good versions. Rows stay for a day, and
 * while the user decides.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

export interface AnomalyRow {
  /** Of the file whose good content is at risk. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `beside`: a new file that looks encrypted has its name plus a suffix; `replaced`: and then the file was
   * deleted.
   */
  readonly kind: 'beside' | 'overwritten' | 'replaced';
  /** Key of the new file, if any. */
  readonly other?: string;
  /** A message for the user. */
  readonly why: string;
  /** Of the last good version. */
  readonly etag: string;
  readonly versionId?: string;
}

type Row = Record<string, string | number | null>;

export class AnomaliesTable {
  readonly #db: Database.Database;
  readonly #put: Database.Statement<[Row]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#put = db.prepare(
      `INSERT INTO signs (key, at, kind, other, why, etag, version_id)
         VALUES (@key, @at, @kind, @other, @why, @etag, @versionId)
         ON CONFLICT (key) DO UPDATE SET at = @at, kind = @kind, other = @other, why = @why,
           etag = @etag, version_id = @versionId
         WHERE @kind <> 'beside'`,
    );
  }

  /** Durable when it returns. A `beside` row never replaces an existing row, which says at least as much. */
  note(sign: AnomalyRow): void {
    const { other = null, versionId = null } = sign;
    this.#put.run({ ...sign, other, versionId });
  }

  /** Marks files with encrypted copies as deleted. The time stays that of the copies. */
  markReplaced(keys: readonly string[]): void {
    this.#db
      .prepare(
        `UPDATE signs SET kind = 'replaced'
          WHERE kind = 'beside' AND key IN (SELECT value FROM json_each(?))`,
      )
      .run(JSON.stringify(keys));
  }

  /** When the files lost their content, without those that merely have an encrypted copy. */
  times(): readonly number[] {
    return this.#db
      .prepare(`SELECT at FROM signs WHERE kind <> 'beside'`)
      .pluck()
      .all() as number[];
  }

  /** The anomalies of these keys. */
  among(keys: readonly string[]): readonly AnomalyRow[] {
    const rows = this.#db
      .prepare('SELECT * FROM signs WHERE key IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(keys));
    return (rows as Row[]).map(readRow);
  }

  /** Oldest first. */
  lost(): readonly AnomalyRow[] {
    const rows = this.#db.prepare(`SELECT * FROM signs WHERE kind <> 'beside' ORDER BY at, key`);
    return (rows.all() as Row[]).map(readRow);
  }

  forgetAll(): void {
    this.#db.prepare('DELETE FROM signs').run();
  }

  forgetBefore(at: number): void {
    this.#db.prepare('DELETE FROM signs WHERE at < ?').run(at);
  }
}

function readRow(row: Row): AnomalyRow {
  return defined({
    key: String(row['key']),
    at: Number(row['at']),
    kind: row['kind'] as AnomalyRow['kind'],
    other: (row['other'] as string | null) ?? undefined,
    why: String(row['why']),
    etag: String(row['etag']),
    versionId: (row['version_id'] as string | null) ?? undefined,
  });
}
