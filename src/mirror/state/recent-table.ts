/**
 * When the current version of a key was created, for as long as that defers the next one
 * (`minVersionInterval`).
 */

import type Database from 'better-sqlite3';

export class RecentTable {
  readonly #put: Database.Statement<[string, number]>;
  readonly #madeAt: Database.Statement<[string]>;
  readonly #forget: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#put = db.prepare('INSERT OR REPLACE INTO recent_versions VALUES (?, ?)');
    this.#madeAt = db
      .prepare<[string]>('SELECT made_at FROM recent_versions WHERE key = ?')
      .pluck();
    this.#forget = db.prepare('DELETE FROM recent_versions WHERE made_at < ?');
  }

  note(key: string, madeAt: number): void {
    this.#put.run(key, madeAt);
  }

  madeAt(key: string): number | undefined {
    return this.#madeAt.get(key) as number | undefined;
  }

  forgetBefore(at: number): void {
    this.#forget.run(at);
  }
}
