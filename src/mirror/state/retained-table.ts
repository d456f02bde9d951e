/** Versions that the job would remove but a lock retains. They are not retried before the lock ends. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

export interface RetainedVersion {
  /** Below the prefix. */
  readonly key: string;
  /** Absent where versions have no ids. */
  readonly versionId?: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** A description for the user: `saved before it was deleted`. */
  readonly what: string;
}

/**
 * The description of versions that version pruning selected. Only its next pass decides whether they are
 * still to be removed.
 */
export const BEYOND_KEEP = 'beyond what is kept';

export interface RetainedTotals {
  readonly versions: number;
  /** When the first version may be removed; null if there are none. */
  readonly next: number | null;
}

interface Row {
  readonly key: string;
  readonly version_id: string;
  readonly until: number;
  readonly what: string;
}

export class RetainedTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  hold({ key, versionId = '', until, what }: RetainedVersion): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO retained VALUES (?, ?, ?, ?)')
      .run(key, versionId, until, what);
  }

  release({ key, versionId = '' }: Pick<RetainedVersion, 'key' | 'versionId'>): void {
    this.#db.prepare('DELETE FROM retained WHERE key = ? AND version_id = ?').run(key, versionId);
  }

  /** Drops rows with this reason whose lock has ended. */
  releaseEnded(what: string, now: number): void {
    this.#db.prepare('DELETE FROM retained WHERE what = ? AND until <= ?').run(what, now);
  }

  /** Whether the lock has not ended yet. */
  waits({ key, versionId = '' }: Pick<RetainedVersion, 'key' | 'versionId'>, now: number): boolean {
    const until = this.#db
      .prepare('SELECT until FROM retained WHERE key = ? AND version_id = ?')
      .pluck()
      .get(key, versionId) as number | undefined;
    return until !== undefined && until > now;
  }

  totals(): RetainedTotals {
    return this.#db
      .prepare('SELECT count(*) AS versions, min(until) AS next FROM retained')
      .get() as RetainedTotals;
  }

  /** In the order in which their locks end. */
  page(limit: number): readonly RetainedVersion[] {
    const rows = this.#db.prepare('SELECT * FROM retained ORDER BY until LIMIT ?').all(limit);
    return (rows as Row[]).map(readRow);
  }

  /** Up to `limit` rows after this key and version, in their order. */
  after(
    { key, versionId = '' }: Pick<RetainedVersion, 'key' | 'versionId'>,
    limit: number,
  ): readonly RetainedVersion[] {
    const rows = this.#db
      .prepare(
        'SELECT * FROM retained WHERE (key, version_id) > (?, ?) ORDER BY key, version_id LIMIT ?',
      )
      .all(key, versionId, limit);
    return (rows as Row[]).map(readRow);
  }

  /** Versions whose lock has ended, except those that version pruning checks itself. */
  due(now: number, limit: number): readonly RetainedVersion[] {
    const rows = this.#db
      .prepare('SELECT * FROM retained WHERE until <= ? AND what <> ? ORDER BY until LIMIT ?')
      .all(now, BEYOND_KEEP, limit);
    return (rows as Row[]).map(readRow);
  }
}

function readRow({ version_id: id, ...row }: Row): RetainedVersion {
  return defined({ ...row, versionId: id || undefined });
}
