/** The one counter of the store: numbers that are never given out twice, also across a crash. */

import type { Database, Statement } from 'better-sqlite3';

export class Sequence {
  readonly #save: Statement<[number]>;
  readonly #stored: Statement<[], number>;
  #next: number;
  #saved: number;

  constructor(database: Database) {
    this.#save = database.prepare('UPDATE store SET next_sequence = ? WHERE id = 1');
    this.#stored = database
      .prepare<[], number>('SELECT next_sequence FROM store WHERE id = 1')
      .pluck();
    this.#next = Number(this.#stored.get());
    this.#saved = this.#next;
  }

  next(): number {
    return this.#next++;
  }

  /** To be called after a repair, which may have found that higher ones are in use. */
  reload(): void {
    this.#next = Math.max(this.#next, Number(this.#stored.get()));
  }

  /**
   * To be called at the end of each transaction. After a rollback the numbers stay used, which does no
   * harm, and the next save covers them.
   */
  save(): void {
    if (this.#saved === this.#next) return;
    this.#save.run(this.#next);
    this.#saved = this.#next;
  }

  /** To be called after a rollback: what was saved in it is not saved any more. */
  unsave(): void {
    this.#saved = -1;
  }
}
