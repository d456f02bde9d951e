/** Adds the records of lifecycle runs, and the boot ID and uptime at which the trusted time was stored. */

export const LIFECYCLE_SCHEMA = `
-- One row for each of the last lifecycle runs, which cover all buckets. A run without finished_at is unfinished; after
-- the store is opened again, it continues at position, which is JSON. The whole run evaluates the rules as of one time,
-- judged_at.
CREATE TABLE lifecycle_run (
  run_id INTEGER PRIMARY KEY,
  cause TEXT NOT NULL CHECK (cause IN ('daily', 'asked')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  judged_at INTEGER NOT NULL,
  position TEXT,
  looked INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  removed_versions INTEGER NOT NULL,
  removed_markers INTEGER NOT NULL,
  aborted_uploads INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  held INTEGER NOT NULL
) STRICT;

-- The uptime of the machine when trusted_at was stored, and the ID of that start of the machine.
ALTER TABLE upkeep ADD COLUMN trusted_boot TEXT;
ALTER TABLE upkeep ADD COLUMN trusted_uptime INTEGER;
`;
