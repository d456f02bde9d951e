/**
 * Deletes in the window of the mass-change guard: keys, and each folder of a tool as one. A delete that is
 * planned again after a crash or a pause is counted once.
 */

import type Database from 'better-sqlite3';

export class CountedDeletesTable {
  readonly #db: Database.Database;
  readonly #count: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#count = db
      .prepare<[number]>('SELECT count(*) FROM counted_deletes WHERE at >= ?')
      .pluck();
  }

  /** Units counted at `since` or later. Removes older ones. */
  since(since: number): ReadonlySet<string> {
    this.#db.prepare('DELETE FROM counted_deletes WHERE at < ?').run(since);
    return new Set(this.#db.prepare('SELECT unit FROM counted_deletes').pluck().all() as string[]);
  }

  countSince(since: number): number {
    return this.#count.get(since) as number;
  }

  /** When the first of them was planned; undefined for none. */
  firstSince(since: number): number | undefined {
    const first = this.#db
      .prepare('SELECT min(at) FROM counted_deletes WHERE at >= ?')
      .pluck()
      .get(since);
    return (first as number | null) ?? undefined;
  }

  /** Counts keys as the units that they map to. The caller runs this inside a transaction. */
  regroup(units: ReadonlyMap<string, string>): void {
    const put = this.#db.prepare(
      `INSERT INTO counted_deletes SELECT @unit, at FROM counted_deletes WHERE unit = @key
         ON CONFLICT (unit) DO UPDATE SET at = min(at, excluded.at)`,
    );
    const drop = this.#db.prepare('DELETE FROM counted_deletes WHERE unit = ?');
    for (const [key, unit] of units) {
      put.run({ key, unit });
      drop.run(key);
    }
  }

  /** The caller runs this inside a transaction. */
  add(units: Iterable<string>, at: number): void {
    const put = this.#db.prepare('INSERT OR IGNORE INTO counted_deletes VALUES (?, ?)');
    for (const unit of units) put.run(unit, at);
  }
}
