/**
 * Opens the file of the cluster database. Only its owner can read the file. Transactions are
 * durable. Opening the file migrates it to the current format.
 */

import { chmodSync, closeSync, openSync } from 'node:fs';

import Database from 'better-sqlite3';

import { NewerFormatError } from '../../base/errors.ts';

/**
 * The migrations. `PRAGMA user_version` counts those that were applied to a file. A released
 * migration must never be changed.
 */
const MIGRATIONS: readonly string[] = [
  `
  -- 'project' is project@customer: each project has clusters of its own. 'record' is JSON (records.ts).
  -- 'due_at' is the time of the next state change, in milliseconds since 1970; NULL if none is planned.
  CREATE TABLE cluster (
    project TEXT NOT NULL,
    name    TEXT NOT NULL,
    record  TEXT NOT NULL,
    due_at  INTEGER,
    PRIMARY KEY (project, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX cluster_due ON cluster (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE nodegroup (
    project TEXT NOT NULL,
    cluster TEXT NOT NULL,
    name    TEXT NOT NULL,
    record  TEXT NOT NULL,
    due_at  INTEGER,
    PRIMARY KEY (project, cluster, name),
    FOREIGN KEY (project, cluster) REFERENCES cluster (project, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX nodegroup_due ON nodegroup (due_at) WHERE due_at IS NOT NULL;

  -- The updates of node groups, in the order of the requests. An update is deleted with its node group.
  CREATE TABLE node_update (
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT NOT NULL UNIQUE,
    project   TEXT NOT NULL,
    cluster   TEXT NOT NULL,
    nodegroup TEXT NOT NULL,
    record    TEXT NOT NULL
  ) STRICT;
  CREATE INDEX update_of_nodegroup ON node_update (project, cluster, nodegroup, sequence);

  -- The responses to requests with a token, which make retries idempotent.
  CREATE TABLE request_token (
    project TEXT NOT NULL,
    token   TEXT NOT NULL,
    request TEXT NOT NULL, -- SHA-256 of method and content
    answer  TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (project, token)
  ) STRICT, WITHOUT ROWID;
  `,
];

/**
 * The format that this version of Holdfast writes. It is also the newest format that this version
 * can read.
 */
export const CLUSTERS_FORMAT = MIGRATIONS.length;

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the file, or creates it with mode 0600. Throws NewerFormatError if a later version of
 * Holdfast has written the file.
 */
export function openClusterFile(path: string): Database.Database {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database.Database, path: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length)
    throw new NewerFormatError(
      `cannot open ${path}: it has format ${version}, and this Holdfast reads up to ${MIGRATIONS.length}; use a newer Holdfast`,
    );
  if (version === MIGRATIONS.length) return;
  const step = database.transaction(() => {
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  step.immediate();
}
