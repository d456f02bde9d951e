/** What a dead mirror's state file tells: what it took for done. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { Acknowledged } from './foreign-life.ts';

/** Written only after an acknowledgement. Not read-only: what a killed process left in its log is taken up first. */
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
