/**
 * Deletes that the mass-change guard holds, each with the current version that it would hide. An approval is
 * for that version only.
 */

import type Database from 'better-sqlite3';

import type { ExpectedHead } from '../model/hold.ts';
import { Emptiness } from './emptiness.ts';

export class HeldDeletesTable {
  readonly #db: Database.Database;
  readonly #emptiness: Emptiness;
  readonly #hold: Database.Statement<[string, string, string | null]>;
  readonly #drop: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#emptiness = new Emptiness(db, 'held_deletes');
    this.#hold = db.prepare(
      `INSERT INTO held_deletes (key, etag, version_id) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET etag = excluded.etag, version_id = excluded.version_id, approval = NULL
         WHERE etag <> excluded.etag OR version_id IS NOT excluded.version_id`,
    );
    this.#drop = db.prepare('DELETE FROM held_deletes WHERE key = ?');
  }

  /** If true, no delete is held or approved. */
  get isCertainlyEmpty(): boolean {
    return this.#emptiness.isCertain;
  }

  /** Ends an approval that was for another version. */
  hold(key: string, { etag, versionId }: ExpectedHead): void {
    this.#emptiness.end();
    this.#hold.run(key, etag, versionId ?? null);
  }

  /** Called when the delete is done or the file exists again. */
  release(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  isAnyWaiting(): boolean {
    const first = 'SELECT 1 FROM held_deletes WHERE approval IS NULL LIMIT 1';
    return !this.#emptiness.isCertain && this.#db.prepare(first).get() !== undefined;
  }

  /** Called when the user rejects all held deletes. */
  releaseWaiting(): void {
    this.#db.prepare('DELETE FROM held_deletes WHERE approval IS NULL').run();
  }

  /** Approves all held deletes, for the versions recorded now. Returns their number. */
  approve(approval: string): number {
    const approve = 'UPDATE held_deletes SET approval = ? WHERE approval IS NULL';
    return this.#db.prepare(approve).run(approval).changes;
  }

  /** Keys of all held deletes. */
  keys(): readonly string[] {
    return this.#db
      .prepare('SELECT key FROM held_deletes WHERE approval IS NULL')
      .pluck()
      .all() as string[];
  }
}
