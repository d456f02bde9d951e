/** Files whose new content has the signs of encryption, and where the good content is: for a day, and while the user decides. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

export interface SignRow {
  /** Of the file whose good content is at stake. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `beside`: a new file that looks encrypted has its name and a suffix; `replaced`: and then it was deleted. */
  readonly kind: 'beside' | 'overwritten' | 'replaced';
  /** Key of the new file, where there is one. */
  readonly other?: string;
  /** For people. */
  readonly why: string;
  /** Of the last good version. */
  readonly etag: string;
  readonly versionId?: string;
}

type Row = Record<string, string | number | null>;

export class SignsTable {
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

  /** Durable when it returns. A file beside a good one says less than what is known of that one already. */
  note(sign: SignRow): void {
    const { other = null, versionId = null } = sign;
    this.#put.run({ ...sign, other, versionId });
  }

  /** The files beside which encrypted ones stand are gone now; the time is still that of the new ones. */
  turnReplaced(keys: readonly string[]): void {
    this.#db
      .prepare(
        `UPDATE signs SET kind = 'replaced'
          WHERE kind = 'beside' AND key IN (SELECT value FROM json_each(?))`,
      )
      .run(JSON.stringify(keys));
  }

  /** When the files lost their content; those beside which another one only stands are not among them. */
  times(): readonly number[] {
    return this.#db
      .prepare(`SELECT at FROM signs WHERE kind <> 'beside'`)
      .pluck()
      .all() as number[];
  }

  /** Those of the keys for which there are signs. */
  among(keys: readonly string[]): readonly SignRow[] {
    const rows = this.#db
      .prepare('SELECT * FROM signs WHERE key IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(keys));
    return (rows as Row[]).map(readRow);
  }

  /** Oldest first. */
  lost(): readonly SignRow[] {
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

function readRow(row: Row): SignRow {
  return defined({
    key: String(row['key']),
    at: Number(row['at']),
    kind: row['kind'] as SignRow['kind'],
    other: (row['other'] as string | null) ?? undefined,
    why: String(row['why']),
    etag: String(row['etag']),
    versionId: (row['version_id'] as string | null) ?? undefined,
  });
}
