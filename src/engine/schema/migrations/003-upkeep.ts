/** Adds tables for a store's maintenance: damage, scrubs, openings and the trusted time. */

export const UPKEEP_SCHEMA = `
-- Blobs that are known to be damaged. Reading them is refused. A row is deleted when its blob is intact again or
-- unused. versions is a JSON list of some versions that used the blob when the damage was found: [{bucket, key,
-- versionId}, …].
CREATE TABLE quarantine (
  blob_id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  versions TEXT NOT NULL
) STRICT;
CREATE TRIGGER quarantine_ends AFTER DELETE ON blob BEGIN
  DELETE FROM quarantine WHERE blob_id = OLD.blob_id;
END;

-- One row for each of the last scrubs. A scrub without finished_at is unfinished; after the store is opened again, it
-- continues after the blob with the ID cursor. blobs, bytes and damaged count what was read. inconsistencies is the
-- number of problems that the check of the tables at the end found.
CREATE TABLE scrub (
  scrub_id INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  cursor INTEGER NOT NULL DEFAULT 0,
  blobs INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  damaged INTEGER NOT NULL DEFAULT 0,
  inconsistencies INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One row. opening is a random ID that is replaced each time the store is opened. opening_before is the ID that the
-- file "opening" beside this database contained at that time. If the file contains neither ID, this is not the database
-- that was last open here. trusted_at is the trusted time when it was last stored.
CREATE TABLE upkeep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  opening TEXT,
  opening_before TEXT,
  trusted_at INTEGER
) STRICT;
INSERT INTO upkeep (id) VALUES (1);
`;
