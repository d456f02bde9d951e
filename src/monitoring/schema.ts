/** The tables of monitoring.sqlite: series, alarms, their history, and actions that are still to be done. */

/** `PRAGMA user_version` is how many of them a file has had. A released one never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  -- A bucket of the store that is or was monitored, or has alarms. bucket_id is the store's, which it never uses again:
  -- a new bucket of an old name begins with nothing. What belongs to a bucket goes with its row.
  CREATE TABLE bucket (
    series_id INTEGER PRIMARY KEY AUTOINCREMENT,
    bucket_id INTEGER NOT NULL,
    name TEXT NOT NULL UNIQUE,
    monitored INTEGER NOT NULL CHECK (monitored IN (0, 1))
  ) STRICT;

  -- All samples of a window of step seconds that begins at begins_at (seconds since 1970 UTC). Where no sample was
  -- taken there is no row.
  CREATE TABLE point (
    series_id INTEGER NOT NULL REFERENCES bucket ON DELETE CASCADE,
    step INTEGER NOT NULL,
    begins_at INTEGER NOT NULL,
    samples INTEGER NOT NULL CHECK (samples > 0),
    bytes_sum INTEGER NOT NULL,
    bytes_minimum INTEGER NOT NULL,
    bytes_maximum INTEGER NOT NULL,
    objects_sum INTEGER NOT NULL,
    objects_minimum INTEGER NOT NULL,
    objects_maximum INTEGER NOT NULL,
    PRIMARY KEY (series_id, step, begins_at)
  ) STRICT, WITHOUT ROWID;

  -- definition is JSON of what the user set. Instants are milliseconds since 1970 UTC.
  CREATE TABLE alarm (
    alarm_id INTEGER PRIMARY KEY AUTOINCREMENT,
    series_id INTEGER NOT NULL REFERENCES bucket ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('OK', 'ALARM', 'INSUFFICIENT_DATA')),
    reason TEXT NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX alarm_of_bucket ON alarm (series_id);

  -- The newest entries of each alarm are kept.
  CREATE TABLE history (
    entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
    alarm_id INTEGER NOT NULL REFERENCES alarm ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('configuration', 'state', 'action')),
    summary TEXT NOT NULL
  ) STRICT;
  CREATE INDEX history_of_alarm ON history (alarm_id, entry_id);

  -- Made in the transaction that changes the state, gone in the one that notes the outcome: a crash in between has the
  -- action done again. attempts counts those that were begun.
  CREATE TABLE pending_action (
    pending_id INTEGER PRIMARY KEY AUTOINCREMENT,
    alarm_id INTEGER NOT NULL REFERENCES alarm ON DELETE CASCADE,
    transition TEXT NOT NULL,
    action TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX pending_of_alarm ON pending_action (alarm_id);
  `,
  `
  -- When somebody said of an alarm that is raised that they know of it; NULL again with the next change of its state.
  ALTER TABLE alarm ADD COLUMN acknowledged_at INTEGER;
  `,
];

/** The newest that this Holdfast knows, and the one that it writes. */
export const MONITORING_FORMAT = MIGRATIONS.length;
