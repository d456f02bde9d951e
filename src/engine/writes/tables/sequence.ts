/**
 * Assigns the store's sequence numbers, which order all versions. A number that a committed transaction has used is
 * never assigned again, even after a crash.
 */

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

  /**
   * Reads the stored next number again. Must be called after a repair, because it may have found higher numbers in use.
   */
  reload(): void {
    this.#next = Math.max(this.#next, Number(this.#stored.get()));
  }

  /**
   * Stores the next number. Must be called at the end of each transaction. If the transaction is rolled back, its
   * numbers are not assigned again, and the next transaction stores the next number.
   */
  save(): void {
    if (this.#saved === this.#next) return;
    this.#save.run(this.#next);
    this.#saved = this.#next;
  }

  /**
   * Makes the next `save` store the number again. Must be called after a rollback, because it also reverts the stored
   * number.
   */
  unsave(): void {
    this.#saved = -1;
  }
}
