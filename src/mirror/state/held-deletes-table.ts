/** Deletes that the brake held: they wait for the user, and what he approved passes it. */

import type Database from 'better-sqlite3';

export class HeldDeletesTable {
  readonly #db: Database.Database;
  readonly #hold: Database.Statement<[string]>;
  readonly #drop: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#hold = db.prepare('INSERT OR IGNORE INTO held_deletes (key, approved) VALUES (?, 0)');
    this.#drop = db.prepare('DELETE FROM held_deletes WHERE key = ?');
  }

  hold(keys: Iterable<string>): void {
    this.#db.transaction(() => {
      for (const key of keys) this.#hold.run(key);
    })();
  }

  /** Of keys whose deletes were weighed, those of `held` wait, and no others; what was approved stays so. */
  holdAmong(weighed: readonly string[], held: Iterable<string>): void {
    this.#db.transaction(() => {
      this.#db
        .prepare(
          'DELETE FROM held_deletes WHERE approved = 0 AND key IN (SELECT value FROM json_each(?))',
        )
        .run(JSON.stringify(weighed));
      this.hold(held);
    })();
  }

  /** The delete is done, or the file is back. */
  release(key: string): void {
    this.#drop.run(key);
  }

  isAnyWaiting(): boolean {
    const first = 'SELECT 1 FROM held_deletes WHERE approved = 0 LIMIT 1';
    return this.#db.prepare(first).get() !== undefined;
  }

  /** All that wait: the user wants them no more. */
  releaseWaiting(): void {
    this.#db.prepare('DELETE FROM held_deletes WHERE approved = 0').run();
  }

  /** After everything was looked at: what is not missing any more waits for nobody. */
  keepOnly(missing: readonly string[]): void {
    this.#db
      .prepare('DELETE FROM held_deletes WHERE key NOT IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(missing));
  }

  /** All that wait pass the brake from now on, and only they. Returns how many they are. */
  approve(): number {
    return this.#db.prepare('UPDATE held_deletes SET approved = 1 WHERE approved = 0').run()
      .changes;
  }

  approvedAmong(keys: readonly string[]): ReadonlySet<string> {
    return this.#among(keys, 1);
  }

  waitingAmong(keys: readonly string[]): ReadonlySet<string> {
    return this.#among(keys, 0);
  }

  #among(keys: readonly string[], approved: 0 | 1): ReadonlySet<string> {
    const rows = this.#db
      .prepare(
        'SELECT key FROM held_deletes WHERE approved = ? AND key IN (SELECT value FROM json_each(?))',
      )
      .pluck()
      .all(approved, JSON.stringify(keys));
    return new Set(rows as string[]);
  }

  /** All that wait. */
  keys(): readonly string[] {
    return this.#db
      .prepare('SELECT key FROM held_deletes WHERE approved = 0')
      .pluck()
      .all() as string[];
  }
}
