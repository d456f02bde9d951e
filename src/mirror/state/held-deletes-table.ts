/** Deletes that the mass-change guard held, each with the head that it would hide: an approval is of that head alone. */

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

  /** While true, no delete is held or approved. */
  get isCertainlyEmpty(): boolean {
    return this.#emptiness.isCertain;
  }

  /** An approval of another head ends by it. */
  hold(key: string, { etag, versionId }: ExpectedHead): void {
    this.#emptiness.end();
    this.#hold.run(key, etag, versionId ?? null);
  }

  /** The delete is done, or the file is back. */
  release(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  isAnyWaiting(): boolean {
    const first = 'SELECT 1 FROM held_deletes WHERE approval IS NULL LIMIT 1';
    return !this.#emptiness.isCertain && this.#db.prepare(first).get() !== undefined;
  }

  /** The user rejected all that wait. */
  releaseWaiting(): void {
    this.#db.prepare('DELETE FROM held_deletes WHERE approval IS NULL').run();
  }

  /** All that wait may be done, with the heads that they have now. Returns how many they are. */
  approve(approval: string): number {
    const approve = 'UPDATE held_deletes SET approval = ? WHERE approval IS NULL';
    return this.#db.prepare(approve).run(approval).changes;
  }

  /** All that wait. */
  keys(): readonly string[] {
    return this.#db
      .prepare('SELECT key FROM held_deletes WHERE approval IS NULL')
      .pluck()
      .all() as string[];
  }
}
