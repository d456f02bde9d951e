/**
 * Migrates to format 15, which adds upload times, approvals for individual versions, damaged versions and resumable
 * uploads.
 */

export const FORMAT_15 = `
  -- Upload time of the version, from its metadata; null if unknown. A journal row has it in its entry.
  ALTER TABLE baseline ADD COLUMN uploaded_at INTEGER;

  -- Upload times of versions, from their metadata; null if unknown. For services that change the dates of versions.
  CREATE TABLE version_times (
    key         TEXT NOT NULL,
    version_id  TEXT NOT NULL,
    uploaded_at INTEGER,
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;

  -- An approval is for one key and one version, the one in etag and version_id. Earlier approvals named no version:
  -- their changes that are not done yet are held again.
  CREATE TABLE held_deletes_of_heads (
    key        TEXT NOT NULL PRIMARY KEY,
    etag       TEXT NOT NULL,
    version_id TEXT,
    approval   TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO held_deletes_of_heads (key, etag, version_id)
    SELECT key, etag, version_id FROM held_deletes JOIN baseline ON folder || name = key;
  DROP TABLE held_deletes;
  ALTER TABLE held_deletes_of_heads RENAME TO held_deletes;

  ALTER TABLE held_overwrites ADD COLUMN etag TEXT; -- null: the key has no current version
  ALTER TABLE held_overwrites ADD COLUMN version_id TEXT;
  ALTER TABLE held_overwrites ADD COLUMN approval TEXT;
  UPDATE held_overwrites SET state = 'held' WHERE state = 'approved';
  UPDATE held_overwrites SET (etag, version_id) =
    (SELECT etag, version_id FROM baseline WHERE folder || name = held_overwrites.key);

  -- Each key, and each folder of a tool, that was deleted in the guard's window.
  CREATE TABLE counted_deletes (
    unit TEXT    NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO counted_deletes SELECT tree, at FROM deleted_trees;
  DROP TABLE deleted_trees;
  DROP TABLE deletes;
  UPDATE meta SET value = json_set(json_remove(value, '$.files'), '$.limit', max(50, json_extract(value, '$.files') / 10))
    WHERE name = 'deletes passed' AND json_extract(value, '$.files') IS NOT NULL;

  -- Versions that are known to be damaged in the bucket (damaged-versions.ts).
  CREATE TABLE damaged_versions (
    key         TEXT    NOT NULL,
    version_id  TEXT    NOT NULL, -- empty where versions have no ids
    sha256      TEXT,             -- of what was stored
    reason      TEXT    NOT NULL,
    checked_at  INTEGER NOT NULL,
    is_of_store INTEGER NOT NULL, -- 1: the store reports it
    sends       INTEGER NOT NULL, -- how often the file was uploaded again because of it
    state       TEXT    NOT NULL CHECK (state IN ('found', 'sent', 'lost', 'earlier', 'exhausted', 'replaced')),
    PRIMARY KEY (key, version_id)
  ) STRICT, WITHOUT ROWID;
  -- Earlier formats stored their keys in the row 'proof' of meta.
  INSERT INTO damaged_versions
    SELECT DISTINCT baseline.folder || baseline.name, coalesce(nullif(version_id, 'null'), ''), sha256,
        'its content was not what was stored when it was last read', 0, 0, 0, 'found'
      FROM meta, json_each(meta.value, '$.damaged') AS known
        JOIN baseline ON baseline.folder || baseline.name = known.value
     WHERE meta.name = 'proof';
  UPDATE meta SET value = json_remove(value, '$.damaged') WHERE name = 'proof';

  -- Multipart uploads that may exist at the service. A row is written before the upload is created, and ends with the
  -- version that it created or with a confirmed abort.
  ALTER TABLE uploads RENAME TO earlier_uploads;
  CREATE TABLE uploads (
    journal_id  TEXT    NOT NULL PRIMARY KEY, -- in the metadata that the upload was created with
    key         TEXT    NOT NULL,
    upload_id   TEXT,             -- null: the response to its creation was lost
    sha256      TEXT,
    entry       TEXT,             -- JSON: the file as it was read
    begun_at    INTEGER NOT NULL,
    uploaded_at INTEGER,          -- also in that metadata
    progress_at INTEGER NOT NULL, -- when its last part was stored
    resumable   INTEGER NOT NULL CHECK (resumable IN (0, 1)) -- 0: it is to be aborted
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_by_key ON uploads (key);
  -- Not resumable: their metadata has no proof of the job.
  INSERT INTO uploads
    SELECT journal_id, key, upload_id, sha256, entry, begun_at, NULL, begun_at, 0 FROM earlier_uploads;
  INSERT OR IGNORE INTO uploads
    SELECT id, key, upload_id, sha256, NULL, started_at, NULL, started_at, 0 FROM journal WHERE upload_id IS NOT NULL;
  DROP TABLE earlier_uploads;
  ALTER TABLE journal DROP COLUMN upload_id;
  -- The parts of each upload that the service acknowledged.
  CREATE TABLE upload_parts (
    journal_id  TEXT    NOT NULL,
    part_number INTEGER NOT NULL,
    etag        TEXT    NOT NULL,
    PRIMARY KEY (journal_id, part_number)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER upload_ends AFTER DELETE ON uploads BEGIN
    DELETE FROM upload_parts WHERE journal_id = old.journal_id;
  END;
  `;
