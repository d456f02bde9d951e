/** Files of the bucket that are taking the place of files in the folder: what stood there has a temporary name meanwhile. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { LocalEntry } from '../model/types.ts';
import type { NewConflict } from '../model/conflict.ts';

export interface PendingReplacement {
  readonly key: string;
  /** Path below the root of what gave way. */
  readonly temporary: string;
  /** The file that gives way, saved as it was then; absent for none. */
  readonly entry?: LocalEntry;
  /** Where its bytes are: for the ledger, when it has given way. */
  readonly replacedContent?: NewConflict;
}

export class ReplacementTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Durable when it returns: only then may the folder be touched. */
  begin({ key, temporary, entry, replacedContent }: PendingReplacement): void {
    this.#db
      .prepare(
        'INSERT OR REPLACE INTO takings (key, temporary, entry, gave_way) VALUES (?, ?, ?, ?)',
      )
      .run(
        key,
        temporary,
        entry ? JSON.stringify(entry) : null,
        replacedContent ? JSON.stringify(replacedContent) : null,
      );
  }

  end(key: string): void {
    this.#db.prepare('DELETE FROM takings WHERE key = ?').run(key);
  }

  /** Those that were broken off. */
  all(): readonly PendingReplacement[] {
    const rows = this.#db.prepare('SELECT * FROM takings').all() as Record<string, string | null>[];
    return rows.map(({ key, temporary, entry, gave_way: replacedContent }) =>
      defined({
        key: String(key),
        temporary: String(temporary),
        entry: typeof entry === 'string' ? (JSON.parse(entry) as LocalEntry) : undefined,
        replacedContent:
          typeof replacedContent === 'string'
            ? (JSON.parse(replacedContent) as NewConflict)
            : undefined,
      }),
    );
  }
}
