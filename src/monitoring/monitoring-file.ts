/** monitoring.sqlite: private to its owner, brought up to date when it is opened. */

import { closeSync, fchmodSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { errorMessage } from '../base/errors.ts';
import { MIGRATIONS } from './schema.ts';

/** Opens the file, or makes it with mode 0600. Throws for one of a later version of Holdfast, or of something else. */
export function openMonitoringFile(path: string): Database.Database {
  makePrivate(path);
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw new Error(
      `open monitoring ${path}: ${errorMessage(error)}; without the file, alarms and series begin anew`,
      { cause: error },
    );
  }
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

function migrate(database: Database.Database, path: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length) {
    throw new Error(
      `${path} has version ${version}, this Holdfast reads ${MIGRATIONS.length}: use the newer one`,
    );
  }
  database
    .transaction(() => {
      for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
      database.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}
