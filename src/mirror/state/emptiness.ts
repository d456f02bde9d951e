/** Caches whether a table is empty. Some tables are queried for each file, but are empty in most jobs. */

import type Database from 'better-sqlite3';

export class Emptiness {
  #isEmpty: boolean;

  /** Checks whether the table with the name `table` is empty. */
  constructor(db: Database.Database, table: string) {
    this.#isEmpty = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;
  }

  /** Whether the table is certainly empty. A table that was emptied may still count as filled until the next start. */
  get isCertain(): boolean {
    return this.#isEmpty;
  }

  /** Records that the table is not empty. Must be called before a row is written. */
  end(): void {
    this.#isEmpty = false;
  }
}
