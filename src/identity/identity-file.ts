/** The file of identities: private to its owner, durable, brought up to date when it is opened. */

import { closeSync, fchmodSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { NewerFormatError } from '../base/errors.ts';
import { MIGRATIONS } from './schema.ts';

/** Another process may hold the file for one short transaction. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens the file, or makes it with mode 0600. Throws for a file of a later version of Holdfast. */
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

/** Before SQLite writes into it, and its journal files take the mode from it. */
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
  // What was a secret is overwritten when its row goes.
  database.pragma('secure_delete = ON');
  // A file of this format is opened without a write lock, which a running daemon holds.
  if (formatOf(database, path) === MIGRATIONS.length) return;
  const migrate = database.transaction(() => {
    for (const migration of MIGRATIONS.slice(formatOf(database, path))) database.exec(migration);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  migrate.immediate();
}

/** Throws NewerFormatError for a file of a later version of Holdfast. */
function formatOf(database: Database.Database, path: string): number {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version <= MIGRATIONS.length) return version;
  throw new NewerFormatError(
    `open identities: ${path} has version ${version}, this Holdfast reads ${MIGRATIONS.length}; use the newer one`,
  );
}
