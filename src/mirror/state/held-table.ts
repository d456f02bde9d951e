/** Keys that wait for the user's decision, with the entry as it was when they were held. */

import type Database from 'better-sqlite3';

import type { LocalEntry } from '../types.ts';

export class HeldTable {
  readonly #keys: Set<string>;
  readonly #put: Database.Statement<[string, string, number]>;
  readonly #drop: Database.Statement<[string]>;
  readonly #entry: Database.Statement<[string]>;

  constructor(db: Database.Database) {
    this.#keys = new Set(db.prepare('SELECT key FROM held').pluck().all() as string[]);
    this.#put = db.prepare('INSERT OR REPLACE INTO held VALUES (?, ?, ?)');
    this.#drop = db.prepare('DELETE FROM held WHERE key = ?');
    this.#entry = db.prepare<[string]>('SELECT entry FROM held WHERE key = ?').pluck();
  }

  hold(key: string, entry: LocalEntry, since: number): void {
    this.#put.run(key, JSON.stringify(entry), since);
    this.#keys.add(key);
  }

  release(key: string): void {
    if (this.#keys.delete(key)) this.#drop.run(key);
  }

  keys(): ReadonlySet<string> {
    return this.#keys;
  }

  /** The entry as it was when the key was held; undefined for a key that is not. */
  entry(key: string): LocalEntry | undefined {
    if (!this.#keys.has(key)) return undefined;
    const entry = this.#entry.get(key) as string | undefined;
    return entry === undefined ? undefined : (JSON.parse(entry) as LocalEntry);
  }
}
