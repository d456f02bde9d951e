/** Checks a store's database: its pages, and every invariant between its tables. Blocks the thread on which it runs. */

import type { Database } from 'better-sqlite3';

import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import { MAX_LISTED_PROBLEMS, type StoreProblem } from './problems.ts';
import { type Rule, RULES } from './metadata-rules.ts';

export interface MetadataCheck {
  /** The first problems found, up to a limit for each problem code. */
  readonly problems: readonly StoreProblem[];
  /** The number of problems by problem code. */
  readonly counts: Readonly<Record<string, number>>;
  readonly versions: number;
  readonly blobs: number;
  /** The total stored size of all blobs. */
  readonly bytes: number;
}

/**
 * Checks the database and returns its problems. Calls `onStep` before each step. If the database is damaged, the caller
 * must close the connection, because its transaction may still be open.
 */
export function checkMetadata(database: Database, onStep: (what: string) => void): MetadataCheck {
  const counts: Record<string, number> = {};
  const problems: StoreProblem[] = [];
  let rows = { versions: 0, blobs: 0, bytes: 0 };
  const add = (found: readonly StoreProblem[], count: number) => {
    problems.push(...found);
    for (const { code } of found.slice(0, 1)) counts[code] = count;
  };
  // Read one snapshot, so that the check sees a concurrent write as a whole or not at all.
  database.exec('BEGIN');
  try {
    onStep('database pages');
    const pages = damagedPages(database);
    add(pages, pages.length);
    for (const rule of RULES) {
      onStep(rule.code);
      const subjects = breaches(database, rule);
      add(subjects.slice(0, MAX_LISTED_PROBLEMS).map(problemOf(rule)), subjects.length);
    }
    rows = countRows(database);
    database.exec('COMMIT');
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
    add([brokenDatabase(errorMessage(error))], 1);
  }
  return { problems, counts, ...rows };
}

function countRows(database: Database) {
  const count = (sql: string) => Number(database.prepare(sql).pluck().get());
  return {
    versions: count('SELECT count(*) FROM version'),
    blobs: count('SELECT count(*) FROM blob'),
    bytes: count('SELECT coalesce(sum(size_bytes), 0) FROM blob'),
  };
}

export function breaches(database: Database, { find }: Rule): readonly string[] {
  return database.prepare<[], string>(find).pluck().all();
}

function problemOf({ code, message, repair }: Rule): (subject: string) => StoreProblem {
  return (subject) => ({ code, subject, message, repair: repair?.says });
}

export function damagedPages(database: Database): readonly StoreProblem[] {
  const lines = database.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  return lines.filter((line) => line !== 'ok').map((line) => brokenDatabase(line));
}

/**
 * Returns SQLite's message for the first damaged page, or undefined if all pages are intact. Faster than
 * `damagedPages`, because it does not compare the indexes with their tables.
 */
export function firstDamagedPage(database: Database): string | undefined {
  try {
    const line = database.prepare<[], string>('PRAGMA quick_check(1)').pluck().get();
    return line === 'ok' ? undefined : line;
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
    return errorMessage(error);
  }
}

/**
 * Matches SQLite's messages about values that violate a constraint of their column. If there are only such messages,
 * the B-tree itself is intact.
 */
const OF_VALUES = / value in |constraint failed in /;

/**
 * Returns whether a B-tree of the database is damaged. Values that violate column constraints do not count as damage.
 */
export function isTreeDamage(database: Database): boolean {
  const lines = database.prepare<[], string>('PRAGMA quick_check').pluck().all();
  return lines.some((line) => line !== 'ok' && !OF_VALUES.test(line));
}

export const REBUILDS_INDEXES = 'rebuilds the indexes';
const SALVAGES =
  'while the daemon is stopped, rebuilds store.sqlite from the rows that can be read';

function brokenDatabase(message: string): StoreProblem {
  const repair = /index/.test(message) ? REBUILDS_INDEXES : SALVAGES;
  return { code: 'database', subject: 'store.sqlite', message, repair };
}
