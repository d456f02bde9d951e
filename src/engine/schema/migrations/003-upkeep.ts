/** Adds tables for a store's maintenance: damage, scrubs, openings and the trusted time. */

export const UPKEEP_SCHEMA = `
-- Bytes that are known to be damaged, until they are whole again or no row needs them. Reading them is refused.
-- versions is JSON of the first versions that needed them when it was found: [{bucket, key, versionId}, …].
CREATE TABLE quarantine (
  blob_id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  versions TEXT NOT NULL
) STRICT;
CREATE TRIGGER quarantine_ends AFTER DELETE ON blob BEGIN
  DELETE FROM quarantine WHERE blob_id = OLD.blob_id;
END;

-- One row for each scrub, of which the last ones are kept. The one without finished_at is in progress, or continues
-- after the next opening: behind blob number cursor.
-- blobs, bytes and damaged count what was read; inconsistencies, what the check of the tables at its end found.
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

-- One row. opening is a random id that each opening makes anew, opening_before the one that the file "opening" beside
-- this database held then: when that file names neither, this is not the database that was last open here.
-- trusted_at is the time by which locks were last judged.
CREATE TABLE upkeep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  opening TEXT,
  opening_before TEXT,
  trusted_at INTEGER
) STRICT;
INSERT INTO upkeep (id) VALUES (1);
`;
