/** Migrates to format 16, which merges all held changes into one table and all small records into another. */

/** Returns an SQL expression that removes the null fields of a JSON object. */
const withoutNulls = (object: string) => `json_patch('{}', ${object})`;

export const FORMAT_16 = `
  -- Deletes, overwrites and renames that the mass-change guard holds, with the version that each would hide or
  -- replace. An approval is for this version only. The row is removed when the change is done.
  CREATE TABLE held_changes (
    key        TEXT NOT NULL PRIMARY KEY,
    change     TEXT NOT NULL CHECK (change IN ('delete', 'overwrite', 'rename')),
    state      TEXT NOT NULL CHECK (state IN ('held', 'approved', 'rejected')),
    etag       TEXT, -- null: the key has no current version
    version_id TEXT,
    approval   TEXT,
    entry      TEXT, -- JSON: the file as it was read; null for a delete
    sha256     TEXT,
    why        TEXT,
    moved_from TEXT  -- of a rename: the key of the old name, whose delete is held too
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX held_changes_moved ON held_changes (moved_from) WHERE moved_from IS NOT NULL;
  INSERT INTO held_changes
    SELECT key, iif(moved_from IS NULL, 'overwrite', 'rename'), state, etag, version_id, approval, entry, sha256, why, moved_from
      FROM held_overwrites;
  -- A file whose overwrite was held and that was deleted later: only its delete is held.
  INSERT OR REPLACE INTO held_changes (key, change, state, etag, version_id, approval)
    SELECT key, 'delete', iif(approval IS NULL, 'held', 'approved'), etag, version_id, approval FROM held_deletes;
  DROP TABLE held_overwrites;
  DROP TABLE held_deletes;

  -- Small records of each kind (records.ts).
  CREATE TABLE records (
    kind     TEXT NOT NULL,
    key      TEXT NOT NULL,
    part     TEXT NOT NULL, -- a version id, for example; empty if a key has one record
    sort_key INTEGER,       -- the time or number that the kind is ordered by
    value    TEXT NOT NULL, -- JSON
    PRIMARY KEY (kind, key, part)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX records_by_sort_key ON records (kind, sort_key) WHERE sort_key IS NOT NULL;

  INSERT INTO records SELECT 'meta', name, '', NULL, json_quote(value) FROM meta;
  DROP TABLE meta;
  INSERT INTO records SELECT 'totals', '', '', NULL, json_object('files', files, 'bytes', bytes) FROM totals;
  DROP TABLE totals;
  INSERT INTO records
    SELECT 'held_conflict', key, '', NULL,
        ${withoutNulls("json_object('entry', json(entry), 'since', since, 'head', json(head), 'wish', wish)")}
      FROM held;
  DROP TABLE held;
  INSERT INTO records
    SELECT 'pending_replacement', key, '', NULL,
        ${withoutNulls("json_object('temporary', temporary, 'entry', json(entry), 'replacedContent', json(gave_way))")}
      FROM takings;
  DROP TABLE takings;
  INSERT INTO records
    SELECT 'anomaly', key, '', at,
        ${withoutNulls("json_object('at', at, 'kind', kind, 'other', other, 'why', why, 'etag', etag, 'versionId', version_id)")}
      FROM signs;
  DROP TABLE signs;
  INSERT INTO records SELECT 'counted_delete', unit, '', at, at FROM counted_deletes;
  DROP TABLE counted_deletes;
  INSERT INTO records SELECT 'deleted_file', key, '', number, entry FROM gone;
  DROP TABLE gone;
  INSERT INTO records SELECT 'forgotten_file', key, '', NULL, 'true' FROM forgotten;
  DROP TABLE forgotten;
  INSERT INTO records SELECT 'recent_version', key, '', made_at, made_at FROM recent_versions;
  DROP TABLE recent_versions;
  INSERT INTO records
    SELECT 'retained_version', key, version_id, until, json_object('until', until, 'what', what) FROM retained;
  DROP TABLE retained;
  INSERT INTO records SELECT 'foreign_version', key, version_id, NULL, 'true' FROM others_versions;
  DROP TABLE others_versions;
  INSERT INTO records SELECT 'version_time', key, version_id, NULL, ifnull(uploaded_at, '"none"') FROM version_times;
  DROP TABLE version_times;
  INSERT INTO records
    SELECT 'damaged_version', key, version_id, NULL,
        ${withoutNulls("json_object('sha256', sha256, 'reason', reason, 'checkedAt', checked_at, 'isOfStore', json(iif(is_of_store = 1, 'true', 'false')), 'sends', sends, 'state', state)")}
      FROM damaged_versions;
  DROP TABLE damaged_versions;

  DROP TRIGGER upload_ends;
  INSERT INTO records SELECT 'upload_part', journal_id, part_number, NULL, json_quote(etag) FROM upload_parts;
  DROP TABLE upload_parts;
  CREATE TRIGGER upload_ends AFTER DELETE ON uploads BEGIN
    DELETE FROM records WHERE kind = 'upload_part' AND key = old.journal_id;
  END;
  `;
