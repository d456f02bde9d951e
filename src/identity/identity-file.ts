/**
 * Opens the file of the identity database. Only the file's owner can read it, and its transactions are durable. Opening
 * migrates the database to the current format.
 */

import { closeSync, fchmodSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { NewerFormatError } from '../base/errors.ts';
import { MIGRATIONS } from './schema.ts';

/** The time for which SQLite waits for a lock. Another process holds it only for a short transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file, or creates it with mode 0600. Throws NewerFormatError if a newer release of Holdfast wrote the file.
 */
export function openIdentityFile(path: string): Database.Database {
  makePrivate(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates the file if it does not exist, and sets its mode to 0600. Must run before SQLite opens the file, because
 * SQLite gives its journal files the mode of the database file.
 */
function makePrivate(path: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

function prepare(database: Database.Database, path: string): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  // Makes SQLite overwrite a secret with zeros when its row is deleted.
  database.pragma('secure_delete = ON');
  // Return early: opening a file of the current format must not need the write lock, because a running daemon holds it.
  if (formatOf(database, path) === MIGRATIONS.length) return;
  const migrate = database.transaction(() => {
    for (const migration of MIGRATIONS.slice(formatOf(database, path))) database.exec(migration);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  migrate.immediate();
}

/** Returns the format of the file. Throws NewerFormatError if a newer release of Holdfast wrote the file. */
function formatOf(database: Database.Database, path: string): number {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version <= MIGRATIONS.length) return version;
  throw new NewerFormatError(
    `cannot open ${path}: it has format ${version}, and this Holdfast reads up to ${MIGRATIONS.length}; use a newer Holdfast`,
  );
}
