/** Opens the metadata database, and migrates a database of an older format. */

import { existsSync, readdirSync } from 'node:fs';

import Database from 'better-sqlite3';

import { errorCode } from '../../base/errors.ts';
import type { PassPoint } from '../disk/faults.ts';
import { createPrivateFile, type Layout } from '../disk/layout.ts';
import { FIRST_SCHEMA } from './migrations/001-first.ts';
import { CHECKSUMS_SCHEMA } from './migrations/002-checksums.ts';
import { UPKEEP_SCHEMA } from './migrations/003-upkeep.ts';
import { USAGE_SCHEMA } from './migrations/004-usage.ts';
import { LEGAL_HOLD_SCHEMA } from './migrations/005-legal-hold.ts';
import { INTERFACE_SCHEMA } from './migrations/006-interface.ts';
import { SEALED_BLOBS_SCHEMA } from './migrations/007-sealed-blobs.ts';
import { METRICS_SCHEMA } from './migrations/008-metrics.ts';
import { LIFECYCLE_SCHEMA } from './migrations/009-lifecycle.ts';
import { QUOTA_SCHEMA } from './migrations/010-quotas.ts';
import { CLOCK_DOUBTS_SCHEMA } from './migrations/011-clock-doubts.ts';
import { DOUBTED_RETENTIONS_SCHEMA } from './migrations/012-doubted-retentions.ts';
import { OpenStoreError } from '../disk/open-error.ts';
import { beginOpening, checkOpening } from './opening.ts';

/**
 * The migrations. The migration with index N upgrades a database from format N to format N + 1. A released migration
 * must not be changed.
 */
const MIGRATIONS: readonly string[] = [
  FIRST_SCHEMA,
  CHECKSUMS_SCHEMA,
  UPKEEP_SCHEMA,
  USAGE_SCHEMA,
  LEGAL_HOLD_SCHEMA,
  INTERFACE_SCHEMA,
  SEALED_BLOBS_SCHEMA,
  METRICS_SCHEMA,
  LIFECYCLE_SCHEMA,
  QUOTA_SCHEMA,
  CLOCK_DOUBTS_SCHEMA,
  DOUBTED_RETENTIONS_SCHEMA,
];

/** The newest store format that this release of Holdfast can read, and the format that it writes. */
export const STORE_FORMAT = MIGRATIONS.length;

/** The SQLite application ID `HFST`, which marks a file as the database of a store. */
const APPLICATION_ID = 0x48465354;

/**
 * The cache size of a reader. It is enough for the interior index pages of several million keys; the kernel caches all
 * other pages.
 */
const READER_CACHE_KIB = 8 * 1024;
/**
 * The cache size of the writer. It is larger than a reader's cache, because writes of scattered keys use the same pages
 * repeatedly and each cache miss delays a commit. With 32 MiB, a first mirror of 300,000 files needed 30 MiB more, and
 * PUTs among 100,000 keys needed as much CPU time.
 */
const WRITER_CACHE_KIB = 12 * 1024;

/**
 * Creates or migrates the database. The store must be locked. Throws `OpenStoreError` with code `NewerStore`,
 * `NotAStore` or `ExchangedMetadata`.
 */
export function prepareMetadata(
  layout: Layout,
  {
    passPoint = () => undefined,
    acceptMetadata = false,
  }: { readonly passPoint?: PassPoint; readonly acceptMetadata?: boolean } = {},
): void {
  createPrivateFile(layout.metadata);
  const database = new Database(layout.metadata);
  try {
    checkIdentity(database, layout);
    if (!acceptMetadata) checkOpening(database, layout);
    reserveMap(database);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    migrateMetadata(database, passPoint);
    beginOpening(database, layout);
  } finally {
    database.close();
  }
}

/**
 * Opens the database for a check, without changing it. Throws the errors of `prepareMetadata`, and `OpenStoreError`
 * with code `OlderStore` if the database has an older format.
 */
export function openForCheck(layout: Layout): Database.Database {
  if (!existsSync(layout.metadata)) {
    throw new OpenStoreError(
      'NotAStore',
      `check store ${layout.root}: store.sqlite is missing; put it back`,
    );
  }
  const database = connectReader(layout.metadata);
  try {
    checkIdentity(database, layout);
    checkOpening(database, layout);
    const version = pragmaNumber(database, 'user_version');
    if (version === MIGRATIONS.length) return database;
    throw new OpenStoreError(
      'OlderStore',
      `check store ${layout.root}: its format ${version} is older than ${MIGRATIONS.length}; start Holdfast once to migrate it`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkIdentity(database: Database.Database, layout: Layout): void {
  const id = applicationId(database, layout);
  const version = pragmaNumber(database, 'user_version');
  const isNew = id === 0 && version === 0 && pragmaNumber(database, 'schema_version') === 0;
  if (id !== APPLICATION_ID && !isNew) throw notAStore(layout);
  // Refuse a new, empty database if blob files exist. Without rows, every blob would count as orphaned, and the garbage
  // collection would move all of them to trash/.
  if (isNew && readdirSync(layout.blobs).length > 0) {
    throw new OpenStoreError(
      'NotAStore',
      `open store ${layout.root}: there are files in blobs/, but store.sqlite is missing or empty; put it back`,
    );
  }
  if (version > MIGRATIONS.length) {
    throw new OpenStoreError(
      'NewerStore',
      `open store ${layout.root}: its format ${version} is newer than ${MIGRATIONS.length}, the newest format that this Holdfast knows; use a newer Holdfast`,
    );
  }
}

/**
 * Returns the application ID of the database. Throws `NotAStore` if the file is not a database. If a store was opened
 * in this folder before, the file is damaged, and SQLite's error is thrown.
 */
function applicationId(database: Database.Database, layout: Layout): number {
  try {
    return pragmaNumber(database, 'application_id');
  } catch (error) {
    const isOther = errorCode(error) === 'SQLITE_NOTADB' && !existsSync(layout.opening);
    throw isOther ? notAStore(layout, error) : error;
  }
}

function notAStore(layout: Layout, cause?: unknown): OpenStoreError {
  return new OpenStoreError(
    'NotAStore',
    `open store ${layout.root}: ${layout.metadata} is not the database of a store`,
    { cause },
  );
}

/**
 * Enables the pointer map of incremental auto-vacuum, which a repair uses. Must be called before the first write to a
 * new database, because SQLite ignores it later.
 */
export function reserveMap(database: Database.Database): void {
  database.pragma('auto_vacuum = INCREMENTAL');
}

/** Migrates an older or empty database to the current format. */
export function migrateMetadata(
  database: Database.Database,
  passPoint: PassPoint = () => undefined,
): void {
  const from = pragmaNumber(database, 'user_version');
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from) continue;
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${index + 1}`);
      passPoint('after-migration-step');
    })();
    passPoint('after-migration');
  }
}

function pragmaNumber(database: Database.Database, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

/** Opens the only connection that writes. Every commit is synced to the disk. The caller must run the checkpoints. */
export function connectWriter(metadata: string): Database.Database {
  const database = new Database(metadata, { fileMustExist: true });
  database.pragma('synchronous = FULL');
  // On macOS, an ordinary sync leaves the bytes in the drive's cache. On other systems, this setting has no effect.
  database.pragma('fullfsync = ON');
  database.pragma('wal_autocheckpoint = 0');
  // Keep the rollback data of savepoints in memory instead of in temporary files.
  database.pragma('temp_store = MEMORY');
  database.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  return database;
}

export function connectReader(metadata: string): Database.Database {
  const database = new Database(metadata, { fileMustExist: true, readonly: true });
  database.pragma(`cache_size = -${READER_CACHE_KIB}`);
  return database;
}
