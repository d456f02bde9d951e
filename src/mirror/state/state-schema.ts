/**
 * Defines the tables in a job's state file. A lost state file is rebuilt by comparing the checksums of folder and
 * bucket.
 */

import type Database from 'better-sqlite3';

import { MirrorError } from '../model/mirror-error.ts';
import { FORMAT_15 } from './state-format-15.ts';
import { FORMAT_16 } from './state-format-16.ts';
import { FORMAT_17 } from './state-format-17.ts';

/**
 * The migrations in order. `user_version` is the number of applied migrations. Never change a released migration; add a
 * new one instead.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The last state that folder and bucket agreed on. A folder's own object has an empty name. 'folder' is empty or
  -- ends in '/': the key is folder || name, and the rows of one folder are one range of the table.
  CREATE TABLE baseline (
    folder         TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    kind           TEXT    NOT NULL CHECK (kind IN ('file', 'directory', 'symlink')),
    size_bytes     INTEGER NOT NULL,
    mtime_ms       REAL    NOT NULL,
    ctime_ms       REAL    NOT NULL,
    inode          REAL    NOT NULL, -- up to 64 bits unsigned: only compared
    mode           INTEGER NOT NULL,
    uid            INTEGER NOT NULL,
    gid            INTEGER NOT NULL,
    sha256         TEXT    NOT NULL,
    etag           TEXT    NOT NULL,
    version_id     TEXT,
    retain_until   INTEGER,
    reprotected_at INTEGER,
    PRIMARY KEY (folder, name)
  ) STRICT, WITHOUT ROWID;
  -- The order of the bucket's listing.
  CREATE UNIQUE INDEX baseline_by_key ON baseline (folder || name);

  -- Requests whose outcome is not yet known. Committed before the request is sent.
  CREATE TABLE journal (
    id         TEXT    NOT NULL PRIMARY KEY, -- also in the metadata of the version that the put creates
    key        TEXT    NOT NULL,
    operation  TEXT    NOT NULL CHECK (operation IN ('put', 'delete')),
    expected   TEXT,                         -- ETag of the current version; null: none exists
    sha256     TEXT,
    entry      TEXT,                         -- JSON: the baseline row that the put results in
    upload_id  TEXT,
    started_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Versions of other clients that a put of this job superseded.
  CREATE TABLE superseded (
    key           TEXT    NOT NULL,
    etag          TEXT    NOT NULL,
    version_id    TEXT,
    by_journal_id TEXT    NOT NULL PRIMARY KEY,
    at            INTEGER NOT NULL
  ) STRICT;

  -- Keys that wait for the user's decision, with the file as it was then.
  CREATE TABLE held (
    key   TEXT    NOT NULL PRIMARY KEY,
    entry TEXT    NOT NULL,
    since INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The rolling window of the mass-change guard.
  CREATE TABLE deletes (
    at    INTEGER NOT NULL,
    count INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the version of another client that the put supersedes, recorded even if the response is lost.
  ALTER TABLE journal ADD COLUMN supersedes TEXT;
  `,
  `
  -- Deletes that the mass-change guard held. An approved one passes it. The row is removed when the delete is done.
  CREATE TABLE held_deletes (
    key      TEXT    NOT NULL PRIMARY KEY,
    approved INTEGER NOT NULL CHECK (approved IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- To find existing content of a new name: a moved file keeps its inode, a large copy has the same content.
  CREATE INDEX baseline_by_inode ON baseline (inode) WHERE kind = 'file';
  CREATE INDEX baseline_by_content ON baseline (sha256) WHERE kind = 'file' AND size_bytes >= 65536;
  `,
  `
  -- The conflict log: what was superseded by the other side's content, and where it is stored. 'wish' is the
  -- resolution that the user requested.
  CREATE TABLE conflicts (
    id           TEXT    NOT NULL PRIMARY KEY, -- of the journal row that created it
    key          TEXT    NOT NULL,
    side         TEXT    NOT NULL CHECK (side IN ('bucket', 'folder')),
    at           INTEGER NOT NULL,
    etag         TEXT    NOT NULL,
    version_id   TEXT,
    saved_as     TEXT,
    size_bytes   INTEGER,
    sha256       TEXT,
    retain_until INTEGER,
    resolved_at  INTEGER,
    resolution   TEXT CHECK (resolution IN ('local', 'remote', 'both')),
    wish         TEXT CHECK (wish IN ('local', 'remote', 'both'))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX conflicts_by_key ON conflicts (key, id);
  CREATE INDEX conflicts_open ON conflicts (key, id) WHERE resolved_at IS NULL;
  INSERT INTO conflicts (id, key, side, at, etag, version_id)
    SELECT by_journal_id, key, 'bucket', at, etag, version_id FROM superseded;
  DROP TABLE superseded;
  -- JSON: the current version in the bucket, if the key is held as a conflict.
  ALTER TABLE held ADD COLUMN head TEXT;
  ALTER TABLE held ADD COLUMN wish TEXT CHECK (wish IN ('local', 'remote', 'both'));

  -- Pending replacements: files from the bucket that replace files in the folder.
  CREATE TABLE takings (
    key       TEXT NOT NULL PRIMARY KEY,
    temporary TEXT NOT NULL, -- path below the root
    entry     TEXT           -- JSON: the replaced file; null for none
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Facts about the content when it was mirrored (content-facts.ts); null if not measured.
  ALTER TABLE baseline ADD COLUMN content TEXT;

  -- Anomalies: files whose new content looks encrypted, and their last good versions.
  CREATE TABLE signs (
    key        TEXT    NOT NULL PRIMARY KEY, -- of the file whose good content is at risk
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('beside', 'overwritten', 'replaced')),
    other      TEXT,                         -- key of the new file, if any
    why        TEXT    NOT NULL,
    etag       TEXT    NOT NULL,
    version_id TEXT
  ) STRICT, WITHOUT ROWID;

  -- Overwrites with anomalies. An approved one passes the guard with this content, a rejected one never does.
  CREATE TABLE held_overwrites (
    key    TEXT NOT NULL PRIMARY KEY,
    entry  TEXT NOT NULL, -- JSON: the file as it was read
    sha256 TEXT NOT NULL,
    why    TEXT NOT NULL,
    state  TEXT NOT NULL CHECK (state IN ('held', 'approved', 'rejected'))
  ) STRICT, WITHOUT ROWID;

  -- Folders of tools that were deleted in the window of the mass-change guard: each counts once.
  CREATE TABLE deleted_trees (
    tree TEXT    NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The locks that the job renews, each with a baseline row.
  CREATE TABLE locks (
    key          TEXT    NOT NULL UNIQUE,
    due_at       INTEGER,          -- next check; null: the user ended its renewal
    retain_until INTEGER,          -- as last read from the version; null: not locked
    size_bytes   INTEGER NOT NULL,
    tries        INTEGER NOT NULL, -- failed checks since the last successful one
    released     TEXT              -- the version whose renewal was ended
  ) STRICT;
  CREATE INDEX locks_due ON locks (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX locks_end ON locks (retain_until) WHERE retain_until IS NOT NULL;
  CREATE INDEX locks_failing ON locks (tries) WHERE tries > 0;
  CREATE INDEX locks_released ON locks (key) WHERE released IS NOT NULL;
  -- How many locks end on each day since 1970; day -1: not locked. Released ones are not counted.
  CREATE TABLE lock_days (
    day      INTEGER NOT NULL PRIMARY KEY,
    versions INTEGER NOT NULL,
    bytes    INTEGER NOT NULL
  ) STRICT;
  -- Versions that the job would remove but a lock retains. version_id is empty where versions have no ids.
  CREATE TABLE retained (
    key        TEXT    NOT NULL,
    version_id TEXT    NOT NULL,
    until      INTEGER NOT NULL,
    what       TEXT    NOT NULL,
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX retained_by_end ON retained (until);
  -- When the current version of a key was created, while that defers the next one.
  CREATE TABLE recent_versions (
    key     TEXT    NOT NULL PRIMARY KEY,
    made_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recent_versions_by_time ON recent_versions (made_at);
  -- Keys of excluded files whose objects the user wants deleted.
  CREATE TABLE forgotten (
    key TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- As in the metadata: the inode, if the file had several hard links, and the digest of its extended attributes.
  ALTER TABLE baseline ADD COLUMN link REAL;
  ALTER TABLE baseline ADD COLUMN xattrs TEXT;

  -- Interrupted multipart uploads: resumed if the file is unchanged.
  CREATE TABLE uploads (
    key        TEXT    NOT NULL PRIMARY KEY,
    upload_id  TEXT    NOT NULL,
    journal_id TEXT    NOT NULL, -- in the metadata that the upload was created with
    sha256     TEXT    NOT NULL,
    entry      TEXT    NOT NULL, -- JSON: the file as it was read
    begun_at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The latest versions that deletes of this job hid. JSON: the former baseline row.
  CREATE TABLE gone (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key    TEXT    NOT NULL UNIQUE,
    entry  TEXT    NOT NULL
  ) STRICT;
  `,
  `
  -- Versions that version pruning found and that do not belong to this job: never removed, not examined again.
  CREATE TABLE others_versions (
    key        TEXT NOT NULL,
    version_id TEXT NOT NULL,
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the conflict log entry for the replaced file, recorded when the replacement is complete.
  ALTER TABLE takings ADD COLUMN gave_way TEXT;
  `,
  `
  -- Of a held rename: the key of the old name, whose delete is held too.
  ALTER TABLE held_overwrites ADD COLUMN moved_from TEXT;
  CREATE INDEX held_overwrites_moved ON held_overwrites (moved_from) WHERE moved_from IS NOT NULL;
  `,
  `
  -- The latest finished rounds, for users. Rounds of single changes within a minute share a row.
  CREATE TABLE rounds (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    kind       TEXT    NOT NULL CHECK (kind IN ('event', 'full', 'listing')),
    rounds     INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL,
    actions    INTEGER NOT NULL,
    versions   INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    deletes    INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Totals of the files in the baseline, updated with each write: counting a million rows blocks the process for a second.
  CREATE TABLE totals (
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO totals SELECT count(*), coalesce(sum(size_bytes), 0) FROM baseline WHERE kind = 'file';
  `,
  FORMAT_15,
  FORMAT_16,
  FORMAT_17,
];

/** The format that this release of Holdfast writes. It is also the newest format that this release can read. */
export const STATE_FORMAT = MIGRATIONS.length;

/** Returns a database's format; 0 for an empty database. */
export function formatOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Applies the missing migrations. Throws MirrorError `StateUnusable` if a later release of Holdfast wrote the file. */
export function migrate(db: Database.Database, path: string, to = STATE_FORMAT): void {
  const version = formatOf(db);
  if (version > MIGRATIONS.length)
    throw new MirrorError(
      'StateUnusable',
      `cannot open ${path}: a later release of Holdfast wrote it (format ${version}); use that release, or delete the file: the next sync round then compares the whole folder with the bucket`,
    );
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version || index >= to) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    })();
  }
}
