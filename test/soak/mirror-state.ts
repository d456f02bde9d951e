/** What a dead mirror's state file tells: what it took for done, and whose versions it covered. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { Acknowledged } from './foreign-life.ts';
import type { LedgerEntry } from './judge.ts';

/** Written only after an acknowledgement. */
export function readAcknowledged(home: string, job: string): Acknowledged[] {
  return query(
    home,
    job,
    `SELECT folder || name AS key, version_id AS versionId, sha256
       FROM baseline WHERE kind <> 'directory' AND version_id IS NOT NULL`,
  );
}

export function readLedger(home: string, job: string): LedgerEntry[] {
  return query(home, job, 'SELECT key, version_id AS versionId FROM superseded');
}

/** Not read-only: what a killed process left in its log is taken up first. */
function query<T>(home: string, job: string, sql: string): T[] {
  const file = join(home, 'state', 'jobs', job, 'state.sqlite');
  if (!existsSync(file)) return [];
  const state = new Database(file);
  try {
    return state.prepare<[], T>(sql).all();
  } finally {
    state.close();
  }
}
