/** Keys of files that are excluded now and whose objects the user wants deleted, until they are deleted. */

import type Database from 'better-sqlite3';

import { Emptiness } from './emptiness.ts';

export class ForgottenTable {
  readonly #db: Database.Database;
  readonly #emptiness: Emptiness;
  readonly #drop: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#emptiness = new Emptiness(db, 'forgotten');
    this.#drop = db.prepare('DELETE FROM forgotten WHERE key = ?');
  }

  add(keys: readonly string[]): void {
    this.#emptiness.end();
    const put = this.#db.prepare('INSERT OR IGNORE INTO forgotten VALUES (?)');
    this.#db.transaction(() => {
      for (const key of keys) put.run(key);
    })();
  }

  /** Called when the object is deleted, or its file is mirrored again. */
  drop(key: string): void {
    if (!this.#emptiness.isCertain) this.#drop.run(key);
  }

  among(keys: readonly string[]): ReadonlySet<string> {
    if (this.#emptiness.isCertain) return new Set();
    const rows = this.#db
      .prepare('SELECT key FROM forgotten WHERE key IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(keys));
    return new Set(rows as string[]);
  }
}
