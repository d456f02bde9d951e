/**
 * Repairs the database's indexes, and rows whose correct state follows from other rows. Runs within a transaction of
 * the writer.
 */

import type { Database } from 'better-sqlite3';

import { breaches, damagedPages, REBUILDS_INDEXES } from './check-metadata.ts';
import { MAX_LISTED_PROBLEMS } from './problems.ts';
import { RULES } from './metadata-rules.ts';

/** One action of a repair, for the report. */
export interface Repaired {
  readonly code: string;
  readonly subject: string;
  readonly did: string;
}

/** Returns one entry for each repaired subject up to a limit, and a last entry with the number of further subjects. */
export function repairedOf(
  subjects: readonly string[],
  { code, did }: Omit<Repaired, 'subject'>,
): readonly Repaired[] {
  const rest = subjects.length - MAX_LISTED_PROBLEMS;
  const listed = subjects.slice(0, MAX_LISTED_PROBLEMS);
  const named = rest > 0 ? [...listed, `and ${rest} more`] : listed;
  return named.map((subject) => ({ code, subject, did }));
}

/**
 * Repairs the indexes and all violated rules that have a repair, and returns what was repaired. Calls `keepBytes` with
 * the bytes of unreferenced small bodies before it deletes their rows.
 */
export function repairMetadata(
  database: Database,
  keepBytes: (blobId: number, bytes: Uint8Array) => void,
): readonly Repaired[] {
  database.function('keep_bytes', (blobId, bytes) => {
    keepBytes(Number(blobId), bytes as Uint8Array);
    return null;
  });
  const done: Repaired[] = [];
  for (const { message, repair } of damagedPages(database)) {
    if (repair === REBUILDS_INDEXES) done.push({ code: 'database', subject: message, did: repair });
  }
  if (done.length > 0) database.exec('REINDEX');
  for (const rule of RULES) {
    const { code, repair } = rule;
    if (!repair) continue;
    const subjects = breaches(database, rule);
    if (subjects.length === 0) continue;
    for (const sql of repair.statements) {
      const statement = database.prepare(sql);
      if (statement.reader) statement.all();
      else statement.run();
    }
    done.push(...repairedOf(subjects, { code, did: repair.says }));
  }
  return done;
}
