/** monitoring.sqlite: private to its owner, brought up to date when it is opened, put aside when it is damaged. */

import { closeSync, existsSync, fchmodSync, openSync, renameSync } from 'node:fs';

import Database from 'better-sqlite3';

import { errorMessage, isDamagedDatabase } from '../base/errors.ts';
import { MIGRATIONS } from './schema.ts';

export interface MonitoringFile {
  readonly database: Database.Database;
  /** Where the damaged one is that was there before. */
  readonly damaged?: string;
}

/**
 * Opens the file, or makes it with mode 0600. What is no sound database is put aside, for it must not keep the daemon from
 * its work. Throws for a file of a later version of Holdfast.
 */
export function openMonitoringFile(path: string): MonitoringFile {
  try {
    return { database: open(path) };
  } catch (error) {
    if (!isDamagedDatabase(error)) throw unusable(path, error);
  }
  return { damaged: putAside(path), database: open(path) };
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

/** With its log; one that was put aside before is overwritten. */
function putAside(path: string): string {
  const aside = `${path}.damaged`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

function unusable(path: string, cause: unknown): Error {
  const reason = errorMessage(cause);
  return new Error(`open monitoring ${path}: ${reason}`, { cause });
}

/** Before SQLite writes into it, and its journal files take the mode from it. */
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
      `it has version ${version}, this Holdfast reads ${MIGRATIONS.length}; use the newer one`,
    );
  }
  database
    .transaction(() => {
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}
