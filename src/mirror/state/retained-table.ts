/** Versions that the job would remove and a lock keeps: not tried again before the lock ends. */

import type Database from 'better-sqlite3';

import { defined } from '../../base/defined.ts';

export interface RetainedVersion {
  /** Below the prefix. */
  readonly key: string;
  /** Absent where versions have no ids. */
  readonly versionId?: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** What it is, for people: `saved before it was deleted`. */
  readonly what: string;
}

/** What `keep` has done with: whether it is to go still is told by its next look alone. */
export const BEYOND_KEEP = 'beyond what is kept';

export interface RetainedTotals {
  readonly versions: number;
  /** When the first may go; null when there is none. */
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

  /** Of this kind, those whose lock has ended. */
  releaseEnded(what: string, now: number): void {
    this.#db.prepare('DELETE FROM retained WHERE what = ? AND until <= ?').run(what, now);
  }

  /** Whether it is too early to try. */
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

  /** Those that may go first, first. */
  page(limit: number): readonly RetainedVersion[] {
    const rows = this.#db.prepare('SELECT * FROM retained ORDER BY until LIMIT ?').all(limit);
    return (rows as Row[]).map(readRow);
  }

  /** Up to `limit` behind this key and version, in their order. */
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

  /** Those whose lock has ended, but for what `keep` looks at itself. */
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
