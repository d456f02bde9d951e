/** Uploads in parts that were begun: what a stop broke off is gone on with, where the file is still the same. */

import type Database from 'better-sqlite3';

import type { LocalEntry } from '../types.ts';
import { Emptiness } from './emptiness.ts';

export interface BegunUpload {
  readonly key: string;
  readonly uploadId: string;
  /** In the metadata that it was begun with. */
  readonly journalId: string;
  readonly sha256: string;
  /** The file as it was read. */
  readonly entry: LocalEntry;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
}

interface Row extends Omit<BegunUpload, 'entry'> {
  readonly entry: string;
}

export class UploadsTable {
  readonly #emptiness: Emptiness;
  readonly #put: Database.Statement<[Row]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #get: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#emptiness = new Emptiness(db, 'uploads');
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO uploads VALUES (@key, @uploadId, @journalId, @sha256, @entry, @begunAt)',
    );
    this.#drop = db.prepare('DELETE FROM uploads WHERE key = ?');
    this.#get = db.prepare(
      `SELECT key, upload_id AS uploadId, journal_id AS journalId, sha256, entry, begun_at AS begunAt
         FROM uploads WHERE key = ?`,
    );
  }

  begin(upload: BegunUpload): void {
    this.#emptiness.end();
    this.#put.run({ ...upload, entry: JSON.stringify(upload.entry) });
  }

  get(key: string): BegunUpload | undefined {
    if (this.#emptiness.isCertain) return undefined;
    const row = this.#get.get(key) as Row | undefined;
    return row && { ...row, entry: JSON.parse(row.entry) as LocalEntry };
  }

  end(key: string): void {
    this.#drop.run(key);
  }
}
