/** Versions below the prefix that do not belong to this job. Each is examined once, and never removed. */

import type Database from 'better-sqlite3';

export class ForeignVersionsTable {
  readonly #has: Database.Statement<[string, string]>;
  readonly #add: Database.Statement<[string, string]>;

  constructor(db: Database.Database) {
    this.#has = db.prepare('SELECT 1 FROM others_versions WHERE key = ? AND version_id = ?');
    this.#add = db.prepare('INSERT OR IGNORE INTO others_versions VALUES (?, ?)');
  }

  has(key: string, versionId: string): boolean {
    return this.#has.get(key, versionId) !== undefined;
  }

  add(key: string, versionId: string): void {
    this.#add.run(key, versionId);
  }
}
