/** Adds the records of lifecycle runs, and the boot ID and uptime at which the trusted time was stored. */

export const LIFECYCLE_SCHEMA = `
-- One row for each run over all buckets, of which the last ones are kept. The one without finished_at is in progress, or
-- continues after the next opening: position is JSON of where. It is judged by one instant, judged_at, throughout.
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

-- When trusted_at was written down, this machine had been up for so many milliseconds since this start of it.
ALTER TABLE upkeep ADD COLUMN trusted_boot TEXT;
ALTER TABLE upkeep ADD COLUMN trusted_uptime INTEGER;
`;
