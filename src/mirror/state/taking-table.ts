/**
 * Pending replacements: files from the bucket that are replacing files in the folder. Meanwhile the replaced
 * file has a temporary name.
 */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';
import type { LocalEntry } from '../model/types.ts';
import type { NewConflict } from '../model/conflict.ts';

export interface PendingReplacement {
  readonly key: string;
  /** Temporary path of the replaced file, below the root. */
  readonly temporary: string;
  /** The replaced file as it was before; absent if there is none. */
  readonly entry?: LocalEntry;
  /** Where its content is stored, for the conflict log when the replacement is complete. */
  readonly replacedContent?: NewConflict;
}

export class ReplacementTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Durable when it returns. The folder may be changed only after that. */
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

  /** Replacements that were interrupted. */
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
