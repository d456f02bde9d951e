/** The tables of a job's state file. Lost, it is made anew: both sides are compared by their checksums. */

import type Database from 'better-sqlite3';

import { MirrorError } from '../model/mirror-error.ts';
import { FORMAT_15 } from './state-format-15.ts';

/** One step each; `user_version` counts the steps taken. Never change one that was released: add another. */
export const MIGRATIONS: readonly string[] = [
  `
  -- What both sides last agreed on. A folder's own object has an empty name. 'folder' is empty or ends in '/':
  -- the key is folder || name, and one folder is one range of the table.
  CREATE TABLE baseline (
    folder         TEXT    NOT NULL,
    name           TEXT    NOT NULL,
    kind           TEXT    NOT NULL CHECK (kind IN ('file', 'directory', 'symlink')),
    size_bytes     INTEGER NOT NULL,
    mtime_ms       REAL    NOT NULL,
    ctime_ms       REAL    NOT NULL,
    inode          REAL    NOT NULL, -- up to 64 bits without sign: compared, never used
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
    id         TEXT    NOT NULL PRIMARY KEY, -- also in the metadata of the version that the put makes
    key        TEXT    NOT NULL,
    operation  TEXT    NOT NULL CHECK (operation IN ('put', 'delete')),
    expected   TEXT,                         -- ETag of the head; absent: no head
    sha256     TEXT,
    entry      TEXT,                         -- JSON: the baseline that the put makes
    upload_id  TEXT,
    started_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Versions of others that a put of ours covered: where to find them again.
  CREATE TABLE superseded (
    key           TEXT    NOT NULL,
    etag          TEXT    NOT NULL,
    version_id    TEXT,
    by_journal_id TEXT    NOT NULL PRIMARY KEY,
    at            INTEGER NOT NULL
  ) STRICT;

  -- Keys that wait for the user's decision, with the entry as it was then.
  CREATE TABLE held (
    key   TEXT    NOT NULL PRIMARY KEY,
    entry TEXT    NOT NULL,
    since INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The rolling window of the brake.
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
  -- JSON: the version of someone else that the put covers, so that a put whose answer is lost still records it.
  ALTER TABLE journal ADD COLUMN supersedes TEXT;
  `,
  `
  -- Deletes that the brake held. An approved one passes it; the row goes when the delete is done.
  CREATE TABLE held_deletes (
    key      TEXT    NOT NULL PRIMARY KEY,
    approved INTEGER NOT NULL CHECK (approved IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Where the bytes of a new name may lie already: a moved file has its inode, a large copy its content.
  CREATE INDEX baseline_by_inode ON baseline (inode) WHERE kind = 'file';
  CREATE INDEX baseline_by_content ON baseline (sha256) WHERE kind = 'file' AND size_bytes >= 65536;
  `,
  `
  -- The ledger: what gave way to the other side's bytes, and where it is. 'wish' is what the user asked for.
  CREATE TABLE conflicts (
    id           TEXT    NOT NULL PRIMARY KEY, -- of the journal row that made it
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
  -- JSON: what the bucket holds there, where the key is held as a conflict.
  ALTER TABLE held ADD COLUMN head TEXT;
  ALTER TABLE held ADD COLUMN wish TEXT CHECK (wish IN ('local', 'remote', 'both'));

  -- Files of the bucket on their way into the folder: under a temporary name, until they have that of the key.
  CREATE TABLE takings (
    key       TEXT NOT NULL PRIMARY KEY,
    temporary TEXT NOT NULL, -- path below the root
    entry     TEXT           -- JSON: the file that they replace; absent for none
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What the content looked like when it was mirrored (content-facts.ts); absent where it was not measured.
  ALTER TABLE baseline ADD COLUMN content TEXT;

  -- Files whose new content has the signs of encryption, and where the good one is.
  CREATE TABLE signs (
    key        TEXT    NOT NULL PRIMARY KEY, -- of the file whose good content is at stake
    at         INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('beside', 'overwritten', 'replaced')),
    other      TEXT,                         -- key of the new file that has the content now
    why        TEXT    NOT NULL,
    etag       TEXT    NOT NULL,
    version_id TEXT
  ) STRICT, WITHOUT ROWID;

  -- Overwrites with such signs. An approved one passes the brake with this content, a rejected one never does.
  CREATE TABLE held_overwrites (
    key    TEXT NOT NULL PRIMARY KEY,
    entry  TEXT NOT NULL, -- JSON: the file as it was read
    sha256 TEXT NOT NULL,
    why    TEXT NOT NULL,
    state  TEXT NOT NULL CHECK (state IN ('held', 'approved', 'rejected'))
  ) STRICT, WITHOUT ROWID;

  -- Folders of tools that were deleted in the brake's window: each counts once in it.
  CREATE TABLE deleted_trees (
    tree TEXT    NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The locks that the job keeps up, each with its row of the baseline.
  CREATE TABLE locks (
    key          TEXT    NOT NULL UNIQUE,
    due_at       INTEGER,          -- looked at next; null: the user ended its renewal
    retain_until INTEGER,          -- as last seen at the version; null: not locked
    size_bytes   INTEGER NOT NULL,
    tries        INTEGER NOT NULL, -- looks that failed since the last one that went well
    released     TEXT              -- the version whose renewal was ended
  ) STRICT;
  CREATE INDEX locks_due ON locks (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX locks_end ON locks (retain_until) WHERE retain_until IS NOT NULL;
  CREATE INDEX locks_failing ON locks (tries) WHERE tries > 0;
  CREATE INDEX locks_released ON locks (key) WHERE released IS NOT NULL;
  -- How many of them end on which day since 1970; -1 are those that are not locked. Released ones do not count.
  CREATE TABLE lock_days (
    day      INTEGER NOT NULL PRIMARY KEY,
    versions INTEGER NOT NULL,
    bytes    INTEGER NOT NULL
  ) STRICT;
  -- What the job would remove and a lock keeps. version_id is empty where versions have none.
  CREATE TABLE retained (
    key        TEXT    NOT NULL,
    version_id TEXT    NOT NULL,
    until      INTEGER NOT NULL,
    what       TEXT    NOT NULL,
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX retained_by_end ON retained (until);
  -- When the current version of a key was made, while it holds the next one up.
  CREATE TABLE recent_versions (
    key     TEXT    NOT NULL PRIMARY KEY,
    made_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recent_versions_by_time ON recent_versions (made_at);
  -- Keys of files that are left out, whose objects the user wants deleted.
  CREATE TABLE forgotten (
    key TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- As the object says: the inode, where the file had more names than one, and the digest of its extended attributes.
  ALTER TABLE baseline ADD COLUMN link REAL;
  ALTER TABLE baseline ADD COLUMN xattrs TEXT;

  -- Uploads in parts that a stop broke off: gone on with, where the file is still the one that they were begun for.
  CREATE TABLE uploads (
    key        TEXT    NOT NULL PRIMARY KEY,
    upload_id  TEXT    NOT NULL,
    journal_id TEXT    NOT NULL, -- in the metadata that the upload was begun with
    sha256     TEXT    NOT NULL,
    entry      TEXT    NOT NULL, -- JSON: the file as it was read
    begun_at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The latest versions that deletes of ours hid. JSON: the baseline as it was.
  CREATE TABLE gone (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key    TEXT    NOT NULL UNIQUE,
    entry  TEXT    NOT NULL
  ) STRICT;
  `,
  `
  -- Versions beyond what the job keeps that are not of this job: left for good, and not looked at again.
  CREATE TABLE others_versions (
    key        TEXT NOT NULL,
    version_id TEXT NOT NULL,
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the entry of the ledger for the file that gives way, once the other one has its name.
  ALTER TABLE takings ADD COLUMN gave_way TEXT;
  `,
  `
  -- Of a file whose new name is held: the key of its old name, whose delete waits with it.
  ALTER TABLE held_overwrites ADD COLUMN moved_from TEXT;
  CREATE INDEX held_overwrites_moved ON held_overwrites (moved_from) WHERE moved_from IS NOT NULL;
  `,
  `
  -- The latest rounds that are over, for people; rounds of single changes share a row a minute.
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
  -- Of the files in the baseline, kept up as it is written: to count a million takes a second, in which nobody is answered.
  CREATE TABLE totals (
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO totals SELECT count(*), coalesce(sum(size_bytes), 0) FROM baseline WHERE kind = 'file';
  `,
  FORMAT_15,
];

/** The newest that this Holdfast knows, and the one that it writes. */
export const STATE_FORMAT = MIGRATIONS.length;

/** Throws MirrorError `StateUnusable` for a file of a later release. */
export function migrate(db: Database.Database, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > MIGRATIONS.length)
    throw new MirrorError(
      'StateUnusable',
      `open state: ${path} was written by a later release (version ${version}); use that release, or delete the file: the next round compares both sides anew`,
    );
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    })();
  }
}
