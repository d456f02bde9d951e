/**
 * Gives new stores and new jobs a database to which all migrations were applied. The migrations of
 * a new database take longer than many tests. The content is that of a database whose process ended
 * directly after the migrations.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { layoutOf } from '../../src/engine/disk/layout.ts';
import { migrateMetadata, reserveMap } from '../../src/engine/schema/schema.ts';
import { STATE_FILE } from '../../src/mirror/state/state-file.ts';
import { migrate } from '../../src/mirror/state/state-schema.ts';

let store: Buffer | undefined;
let state: Buffer | undefined;

/** Creates the folder and the database of a new store. */
export function prepareStore(dir: string): void {
  store ??= migrated((database) => {
    reserveMap(database);
    database.pragma('journal_mode = WAL');
    migrateMetadata(database);
  });
  write(dir, layoutOf(dir).metadata, store);
}

/** Creates the state folder of a job and its state file, unless the folder exists. */
export function prepareState(dir: string): void {
  if (existsSync(dir)) return;
  state ??= migrated((database) => {
    database.pragma('journal_mode = WAL');
    migrate(database, STATE_FILE);
  });
  write(dir, join(dir, STATE_FILE), state);
}

function write(dir: string, path: string, content: Buffer): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

/** Returns the bytes of a new database after the migrations. */
function migrated(migrations: (database: Database.Database) => void): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'prepared-'));
  try {
    const path = join(dir, 'database.sqlite');
    const database = new Database(path);
    database.pragma('synchronous = OFF');
    migrations(database);
    database.close();
    return readFileSync(path);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
