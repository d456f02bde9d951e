/**
 * Upload times of versions, from their metadata. They are read once from services that change the dates of
 * versions.
 */

import type Database from 'better-sqlite3';

interface Row {
  readonly uploaded_at: number | null;
}

export class VersionTimesTable {
  readonly #get: Database.Statement<[string, string]>;
  readonly #put: Database.Statement<[string, string, number | null]>;
  readonly #drop: Database.Statement<[string, string]>;

  constructor(db: Database.Database) {
    this.#get = db.prepare(
      'SELECT uploaded_at FROM version_times WHERE key = ? AND version_id = ?',
    );
    this.#put = db.prepare('INSERT OR REPLACE INTO version_times VALUES (?, ?, ?)');
    this.#drop = db.prepare('DELETE FROM version_times WHERE key = ? AND version_id = ?');
  }

  /** Milliseconds since 1970; `none` if the version has no upload time. `key` is below the prefix. */
  get(key: string, versionId: string): number | 'none' | undefined {
    const row = this.#get.get(key, versionId) as Row | undefined;
    return row && (row.uploaded_at ?? 'none');
  }

  note(key: string, versionId: string, uploadedAt: number | 'none'): void {
    this.#put.run(key, versionId, uploadedAt === 'none' ? null : uploadedAt);
  }

  forget(key: string, versionId: string): void {
    this.#drop.run(key, versionId);
  }
}
