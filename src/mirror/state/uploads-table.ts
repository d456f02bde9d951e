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
  /** Also in that metadata, by the service's time. Absent for one of an earlier release. */
  readonly uploadedAt?: number;
}

interface Row extends Omit<BegunUpload, 'entry' | 'uploadedAt'> {
  readonly entry: string;
  readonly uploadedAt: number | null;
}

export class UploadsTable {
  readonly #emptiness: Emptiness;
  readonly #put: Database.Statement<[Row]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #get: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#emptiness = new Emptiness(db, 'uploads');
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO uploads VALUES (@key, @uploadId, @journalId, @sha256, @entry, @begunAt, @uploadedAt)',
    );
    this.#drop = db.prepare('DELETE FROM uploads WHERE key = ?');
    this.#get = db.prepare(
      `SELECT key, upload_id AS uploadId, journal_id AS journalId, sha256, entry, begun_at AS begunAt,
              uploaded_at AS uploadedAt
         FROM uploads WHERE key = ?`,
    );
  }

  begin(upload: BegunUpload): void {
    this.#emptiness.end();
    const { entry, uploadedAt = null } = upload;
    this.#put.run({ ...upload, entry: JSON.stringify(entry), uploadedAt });
  }

  get(key: string): BegunUpload | undefined {
    if (this.#emptiness.isCertain) return undefined;
    const row = this.#get.get(key) as Row | undefined;
    if (!row) return undefined;
    const { uploadedAt, entry, ...rest } = row;
    const given = uploadedAt === null ? {} : { uploadedAt };
    return { ...rest, ...given, entry: JSON.parse(entry) as LocalEntry };
  }

  end(key: string): void {
    this.#drop.run(key);
  }
}
