/**
 * A state file that cannot be read is set aside, and a new one takes its place: the next round compares the folder with the bucket,
 * adopts what is equal and deletes nothing. What only the state knew is taken over as far as it can be read.
 */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import Database from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/durations.ts';
import { errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { migrate } from './state-schema.ts';
import { openStateFile, STATE_FILE, type StateFile } from './state.ts';

/** What neither the folder nor the bucket can tell. */
const KEPT_TABLES = [
  'conflicts',
  'held',
  'held_overwrites',
  'signs',
  'uploads',
  'upload_parts',
  'forgotten',
  'gone',
  'others_versions',
  'rounds',
] as const;
/** What binds the job to its folder and its place. All else in `meta` speaks of what was lost. */
const KEPT_META = ['root', 'claim holders', 'alarm'];
/** Of what must not be lost unsaid. */
const NAMES: Readonly<Partial<Record<string, string>>> = {
  conflicts: 'recorded conflicts',
  held: 'changes that waited for a decision',
  held_overwrites: 'held overwrites',
  forgotten: 'files to be forgotten',
};

/** Name of a row in the state's `meta`. */
const REBUILT = 'rebuilt';
const REPORTED_FOR_MS = 7 * DAY_MS;

interface Rebuilt {
  readonly at: number;
  /** Where the damaged file is. */
  readonly aside: string;
  /** What could not be read whole. */
  readonly lost: readonly string[];
}

/** Whether a file is there that once held a state and now holds nothing. */
export function isEmptied(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0 && !existsSync(`${path}-wal`);
}

/**
 * Replaces the state file at `path`, which no process has open. Returns the name of the file that was set aside. It can be
 * repeated after a crash at any instant.
 */
export function rebuildState(path: string, now: number): string {
  const aside = freeName(
    `${path}.damaged-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
  );
  const next = `${path}.rebuilt`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(next + suffix, { force: true });
  build(next, path, { at: now, aside });
  sync(next);
  // The file before its log: without the log it could open as a sound state of an earlier time.
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

/** A damaged state is rebuilt, too. */
export function closeState(state: StateFile, owner: StateOwner): void {
  try {
    state.close();
  } catch (error) {
    if (!isDamagedDatabase(error)) throw error;
  }
  if (state.isDamaged) replaceState(owner);
}

/** Tells the log of it. */
export function replaceState({ stateDir, job, clock, logger }: StateOwner): void {
  const damaged = rebuildState(join(stateDir, STATE_FILE), clock.now());
  const fields = { job: job.name, damaged };
  logger.warn(fields, 'mirror job: its state was damaged, and is built anew');
}

/** Does what a crash left undone: the new file is whole when the damaged one was renamed to `aside`. */
export function finishRebuild(path: string, aside = freeName(`${path}.damaged`)): void {
  const next = `${path}.rebuilt`;
  if (existsSync(path) || !existsSync(next)) return;
  // SQLite must not take the old log for the one of the new file.
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  sync(dirname(path));
  renameSync(next, path);
  sync(dirname(path));
}

/** What the user is to know of it, for a week or until the damaged file is removed. */
export function stateWarnings(state: StateFile, clock: Clock): readonly string[] {
  const text = state.meta(REBUILT);
  if (text === undefined) return [];
  const { at, aside, lost } = JSON.parse(text) as Rebuilt;
  if (clock.now() - at > REPORTED_FOR_MS || !existsSync(aside)) return [];
  const unread = lost.length === 0 ? '' : `; not all of these could be read: ${lost.join(', ')}`;
  return [
    `the state of this job was damaged and was built anew from the folder and the bucket${unread}; the damaged file is ${aside} (remove it to end this message)`,
  ];
}

function build(next: string, damaged: string, { at, aside }: Omit<Rebuilt, 'lost'>): void {
  closeSync(openSync(next, 'wx', 0o600));
  const db = new Database(next);
  try {
    migrate(db, next);
    const unread = takeOver(db, damaged);
    // Of a state of an earlier format: the approval names no head.
    db.exec(
      `UPDATE held_overwrites SET state = 'held' WHERE state = 'approved' AND approval IS NULL`,
    );
    const lost = unread.flatMap((table) => NAMES[table] ?? []);
    const row = JSON.stringify({ at, aside, lost } satisfies Rebuilt);
    db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(REBUILT, row);
  } finally {
    db.close();
  }
  const state = openStateFile(next);
  state.close();
}

/** Returns the tables that could not be read whole. */
function takeOver(db: Database.Database, damaged: string): readonly string[] {
  const tables = ['meta', ...KEPT_TABLES];
  let old: Database.Database | undefined;
  try {
    old = new Database(damaged, { fileMustExist: true });
    const from = old;
    return tables.filter((table) => !copyTable(from, db, table));
  } catch (error) {
    if (!isUnusable(error)) throw error;
    return tables;
  } finally {
    closeDamaged(old);
  }
}

/** Returns whether it could be read whole. From both ends: a damaged page ends a walk. */
function copyTable(old: Database.Database, db: Database.Database, table: string): boolean {
  const copy = db.transaction((order: 'ASC' | 'DESC'): boolean => {
    try {
      for (const row of rowsOf(old, table, order)) insert(db, table, row);
      return true;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      return false;
    }
  });
  return copy('ASC') || (copy('DESC'), false);
}

type Row = Record<string, unknown>;

function rowsOf(old: Database.Database, table: string, order: string): Iterable<Row> {
  const columns = old.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const key = columns.find(({ pk }) => pk === 1)?.name ?? 'rowid';
  const only =
    table === 'meta' ? `WHERE name IN (${KEPT_META.map((name) => `'${name}'`).join()})` : '';
  return old.prepare<[], Row>(`SELECT * FROM ${table} ${only} ORDER BY ${key} ${order}`).iterate();
}

function insert(db: Database.Database, table: string, row: Row): void {
  const names = Object.keys(row);
  const values = names.map(() => '?').join();
  db.prepare(`INSERT OR IGNORE INTO ${table} (${names.join()}) VALUES (${values})`).run(
    ...Object.values(row),
  );
}

/** Also a table that is not there, since the schema could not be read or is older. */
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
