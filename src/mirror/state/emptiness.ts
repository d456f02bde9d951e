/** Tables that most jobs have nothing in, and that are asked of each file: of an empty one that is known without asking. */

import type Database from 'better-sqlite3';

export class Emptiness {
  #isEmpty: boolean;

  /** `table` as it stands in the schema. */
  constructor(db: Database.Database, table: string) {
    this.#isEmpty = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined;
  }

  /** Certain while it says so; one that was emptied may count as filled until the next start. */
  get isCertain(): boolean {
    return this.#isEmpty;
  }

  /** Before a row is written. */
  end(): void {
    this.#isEmpty = false;
  }
}
