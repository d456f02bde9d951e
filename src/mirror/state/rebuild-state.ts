/**
 * Sets a damaged state file aside and builds a new one. The next round compares the folder with the bucket and adopts
 * equal files, but deletes nothing. Data that exists only in the state file is copied as far as it is readable.
 */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { formatOf, migrate, STATE_FORMAT } from './state-schema.ts';
import { openStateFile, STATE_FILE, type StateFile } from './state-file.ts';

/** Rows that cannot be rebuilt from the folder and the bucket. */
interface KeptRows {
  readonly table: string;
  readonly where?: string;
  /** Name for these rows in the warning, if some of them could not be read. */
  readonly name?: string;
}

/** Names of the values that tie the job to its folder and destination. All other values describe state that is lost. */
const KEPT_VALUES = "('root', 'claim holders', 'alarm')";
const CONFLICTS = 'recorded conflicts';
const HELD = 'conflicts held for a decision';
const FORGOTTEN = 'files to forget';

/**
 * The rows to copy, from format 16 on. Held deletes are not copied, because without a baseline the job deletes nothing
 * until it has compared folder and bucket.
 */
const KEPT: readonly KeptRows[] = [
  { table: 'conflicts', name: CONFLICTS },
  {
    table: 'held_changes',
    where: "change <> 'delete' OR state = 'rejected'",
    name: 'held overwrites',
  },
  { table: 'uploads' },
  { table: 'rounds' },
  { table: 'records', where: `kind = 'meta' AND key IN ${KEPT_VALUES}` },
  { table: 'records', where: "kind = 'held_conflict'", name: HELD },
  { table: 'records', where: "kind = 'forgotten_file'", name: FORGOTTEN },
  ...['anomaly', 'deleted_file', 'foreign_version', 'upload_part'].map((kind) => ({
    table: 'records',
    where: `kind = '${kind}'`,
  })),
];

/** The rows to copy from formats before 16. */
const KEPT_BEFORE: readonly KeptRows[] = [
  { table: 'conflicts', name: CONFLICTS },
  { table: 'held_overwrites', name: 'held overwrites' },
  { table: 'uploads' },
  { table: 'rounds' },
  { table: 'meta', where: `name IN ${KEPT_VALUES}` },
  { table: 'held', name: HELD },
  { table: 'forgotten', name: FORGOTTEN },
  ...['signs', 'gone', 'others_versions', 'upload_parts'].map((table) => ({ table })),
];

/** Name of the value in the job's state that describes the rebuild. */
const REBUILT = 'rebuilt';
/** The first format that has the table `records`. */
const FORMAT_OF_RECORDS = 16;
const REPORTED_FOR_MS = 7 * DAY_MS;

interface Rebuilt {
  readonly at: number;
  /** Path to which the damaged file was moved. */
  readonly aside: string;
  /** Names of the data that could not be read completely. */
  readonly lost: readonly string[];
}

/** Returns whether the state file exists but is empty, and has no WAL file. */
export function isEmptied(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0 && !existsSync(`${path}-wal`);
}

/**
 * Replaces the state file at `path`. No process may have the file open. Returns the path to which the damaged file was
 * moved. Can be repeated after a crash at any point.
 */
export function rebuildState(path: string, now: number): string {
  const aside = freeName(
    `${path}.damaged-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
  );
  const next = `${path}.rebuilt`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(next + suffix, { force: true });
  build(next, path, { at: now, aside });
  sync(next);
  // The database is renamed before its WAL file, because a database without its WAL file could open as a valid but
  // older state.
  renameSync(path, aside);
  sync(dirname(path));
  finishRebuild(path, aside);
  return aside;
}

interface StateOwner {
  readonly stateDir: string;
  readonly job: { readonly name: string };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Closes the state file, and rebuilds it if it is damaged. */
export function closeState(state: StateFile, owner: StateOwner): void {
  try {
    state.close();
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
  }
  if (state.isDamaged) replaceState(owner);
}

/** Rebuilds the state file and logs a warning. */
export function replaceState({ stateDir, job, clock, logger }: StateOwner): void {
  const damaged = rebuildState(join(stateDir, STATE_FILE), clock.now());
  const fields = { job: job.name, damaged };
  logger.warn(fields, 'mirror job: the state is damaged and is rebuilt');
}

/**
 * Completes a rebuild that a crash interrupted. The new file was already complete when the damaged file was renamed to
 * `aside`.
 */
export function finishRebuild(path: string, aside = freeName(`${path}.damaged`)): void {
  const next = `${path}.rebuilt`;
  if (existsSync(path) || !existsSync(next)) return;
  // SQLite must not apply the old WAL file to the new database.
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  sync(dirname(path));
  renameSync(next, path);
  sync(dirname(path));
}

/** Returns warnings about a rebuilt state. They end after a week, or when the user deletes the damaged file. */
export function stateWarnings(state: StateFile, clock: Clock): readonly string[] {
  const text = state.meta(REBUILT);
  if (text === undefined) return [];
  const { at, aside, lost } = JSON.parse(text) as Rebuilt;
  if (clock.now() - at > REPORTED_FOR_MS || !existsSync(aside)) return [];
  const unread = lost.length === 0 ? '' : `; some records could not be read (${lost.join(', ')})`;
  return [
    `the state of this job was damaged and has been rebuilt from the folder and the bucket${unread}; the damaged file is ${aside} (delete it to clear this warning)`,
  ];
}

/** Copies the kept rows into a new file with the damaged file's format, and migrates that file. */
function build(next: string, damaged: string, { at, aside }: Omit<Rebuilt, 'lost'>): void {
  closeSync(openSync(next, 'wx', 0o600));
  const db = new Database(next);
  let lost: readonly string[];
  try {
    lost = copyKeptRows(db, damaged);
  } finally {
    db.close();
  }
  const state = openStateFile(next);
  try {
    state.setMeta(REBUILT, JSON.stringify({ at, aside, lost } satisfies Rebuilt));
  } finally {
    state.close();
  }
}

/** Copies the kept rows. Returns the names of the data that could not be read completely. */
function copyKeptRows(db: Database.Database, damaged: string): readonly string[] {
  let old: Database.Database | undefined;
  let kept = KEPT;
  const isCopied = new Set<KeptRows>();
  try {
    old = new Database(damaged, { fileMustExist: true });
    const from = old;
    const format = Math.min(formatOf(old), STATE_FORMAT);
    if (format > 0 && format < FORMAT_OF_RECORDS) kept = KEPT_BEFORE;
    migrate(db, db.name, format > 0 ? format : STATE_FORMAT);
    for (const rows of kept) if (copyRows(from, db, rows)) isCopied.add(rows);
  } catch (error) {
    if (!isUnusable(error)) throw error;
  } finally {
    closeDamaged(old);
  }
  return kept.flatMap((rows) => (isCopied.has(rows) ? [] : (rows.name ?? [])));
}

/**
 * Copies rows. Returns whether all of them could be read. Reads the table from both ends, because a scan stops at the
 * first damaged page.
 */
function copyRows(old: Database.Database, db: Database.Database, rows: KeptRows): boolean {
  const copy = db.transaction((order: 'ASC' | 'DESC'): boolean => {
    try {
      for (const row of read(old, rows, order)) insert(db, rows.table, row);
      return true;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      return false;
    }
  });
  return copy('ASC') || (copy('DESC'), false);
}

type Row = Record<string, unknown>;

function read(
  old: Database.Database,
  { table, where = 'true' }: KeptRows,
  order: string,
): Iterable<Row> {
  const columns = old.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const key = columns
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map(({ name }) => `${name} ${order}`)
    .join();
  return old
    .prepare<[], Row>(`SELECT * FROM ${table} WHERE ${where} ORDER BY ${key || `rowid ${order}`}`)
    .iterate();
}

function insert(db: Database.Database, table: string, row: Row): void {
  const names = Object.keys(row);
  const values = names.map(() => '?').join();
  db.prepare(`INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${values})`).run(
    ...Object.values(row),
  );
}

/**
 * Returns whether an error means that a table is unusable. A missing table counts too, because the schema may be
 * unreadable or older.
 */
function isUnusable(error: unknown): boolean {
  return isDamagedDatabase(error) || /no such table|malformed/.test(errorMessage(error));
}

function closeDamaged(db: Database.Database | undefined): void {
  try {
    db?.close();
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
  }
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; existsSync(name); number++) name = `${path}-${number}`;
  return name;
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
