/**
 * Opens monitoring.sqlite with mode 0600, and migrates it to the current format. A damaged file is renamed and replaced
 * by a new file.
 */

import { closeSync, existsSync, fchmodSync, openSync, renameSync } from 'node:fs';

import Database from 'better-sqlite3';

import { errorMessage, isDamagedDatabase } from '../base/errors.ts';
import { MIGRATIONS } from './schema.ts';

export interface MonitoringFile {
  readonly database: Database.Database;
  /** The new path of the damaged file. Absent if the file was not damaged. */
  readonly damaged?: string;
}

/**
 * Opens the file, or creates it with mode 0600. Renames a damaged file and creates a new one, because the daemon must
 * start even then. Throws if the file cannot be opened, or if a later version of Holdfast has written the file.
 */
export function openMonitoringFile(path: string): MonitoringFile {
  try {
    return { database: open(path) };
  } catch (error) {
    if (!isDamagedDatabase(error)) throw unusable(path, error);
  }
  return { damaged: setAside(path), database: open(path) };
}

function open(path: string): Database.Database {
  makePrivate(path);
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Renames the file and its `-wal` and `-shm` files, and returns the new path. Overwrites a file
 * that was renamed earlier.
 */
function setAside(path: string): string {
  const aside = `${path}.damaged`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

function unusable(path: string, cause: unknown): Error {
  const reason = errorMessage(cause);
  return new Error(`cannot open ${path}: ${reason}`, { cause });
}

/**
 * Creates the file if necessary and sets its mode to 0600. This must happen before SQLite opens the
 * file, because SQLite gives its journal files the mode of the database file.
 */
function makePrivate(path: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function migrate(database: Database.Database): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length) {
    throw new Error(
      `it has format ${version}, and this Holdfast reads up to ${MIGRATIONS.length}; use a newer Holdfast`,
    );
  }
  if (version === MIGRATIONS.length) return;
  database
    .transaction(() => {
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}
