/** Folders of tools of which something was deleted in the brake's window: each counts once in it. */

import type Database from 'better-sqlite3';

export class DeletedTreesTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Those that were counted at `since` or later; older ones are forgotten. */
  since(since: number): ReadonlySet<string> {
    this.#db.prepare('DELETE FROM deleted_trees WHERE at < ?').run(since);
    return new Set(this.#db.prepare('SELECT tree FROM deleted_trees').pluck().all() as string[]);
  }

  count(trees: Iterable<string>, at: number): void {
    const put = this.#db.prepare('INSERT OR IGNORE INTO deleted_trees VALUES (?, ?)');
    this.#db.transaction(() => {
      for (const tree of trees) put.run(tree, at);
    })();
  }
}
