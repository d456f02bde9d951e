/** Puts the tables right from what can be derived, inside the writer's transaction. */

import type { Database } from 'better-sqlite3';

import { breaches, damagedPages } from './check-metadata.ts';
import { RULES } from './rules.ts';

/** One thing that a repair did. */
export interface Repaired {
  readonly code: string;
  readonly subject: string;
  readonly did: string;
}

/** `keepBytes` is given the bytes of small bodies that nobody needs before they leave the database. */
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
    if (repair) done.push({ code: 'database', subject: message, did: repair });
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
    done.push(...subjects.map((subject) => ({ code, subject, did: repair.says })));
  }
  return done;
}
