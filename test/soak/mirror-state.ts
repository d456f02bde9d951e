/** Reads a killed job's state database, to find out which versions the job had recorded as uploaded. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { Acknowledged } from './foreign-life.ts';

/**
 * Returns the versions that the job recorded as uploaded. The job records a version only after the service has
 * acknowledged it. The database is not opened read-only, so that SQLite recovers the killed process's log.
 */
export function readAcknowledged(home: string, job: string): Acknowledged[] {
  const file = join(home, 'state', 'jobs', job, 'state.sqlite');
  if (!existsSync(file)) return [];
  const state = new Database(file);
  try {
    return state
      .prepare<[], Acknowledged>(
        `SELECT folder || name AS key, version_id AS versionId, sha256
           FROM baseline WHERE kind <> 'directory' AND version_id IS NOT NULL`,
      )
      .all();
  } finally {
    state.close();
  }
}
