/** Caches whether a table is empty, because some tables are queried for each file but are empty in most jobs. */

import type Database from 'better-sqlite3';

export class Emptiness {
  #isEmpty: boolean;

  /** Checks whether the table named `table` is empty. */
  constructor(db: Database.Database, table: string) {
    this.#isEmpty = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;
  }

  /**
   * Whether the table is certainly empty. After all rows are removed, the value may stay false until the next start.
   */
  get isCertain(): boolean {
    return this.#isEmpty;
  }

  /** Records that the table is no longer empty. Must be called before a row is written. */
  end(): void {
    this.#isEmpty = false;
  }
}
