/** Remembers that a table is empty. Some tables are queried for each file, and are empty in most jobs. */

import type Database from 'better-sqlite3';

export class Emptiness {
  #isEmpty: boolean;

  /** `table`: its name in the schema. */
  constructor(db: Database.Database, table: string) {
    this.#isEmpty = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;
  }

  /** If true, the table is empty. A table that was emptied may count as filled until the next start. */
  get isCertain(): boolean {
    return this.#isEmpty;
  }

  /** Called before a row is written. */
  end(): void {
    this.#isEmpty = false;
  }
}
