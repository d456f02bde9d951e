/**
 * Defines the tables of monitoring.sqlite: buckets, series, alarms, alarm history, pending alarm actions, and recent
 * values for charts.
 */

/**
 * The migrations. `PRAGMA user_version` counts those that were applied to a file. A released
 * migration must never be changed.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- A bucket of the store that is or was monitored, or has alarms. The store never reuses a bucket_id, so a new bucket
  -- with an old name starts without data. Rows that reference a bucket are deleted with it.
  CREATE TABLE bucket (
    series_id INTEGER PRIMARY KEY AUTOINCREMENT,
    bucket_id INTEGER NOT NULL,
    name TEXT NOT NULL UNIQUE,
    monitored INTEGER NOT NULL CHECK (monitored IN (0, 1))
  ) STRICT;

  -- All samples of a window of step seconds that begins at begins_at (seconds since 1970 UTC). A window without samples
  -- has no row.
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

  -- definition is the alarm that the user set, as JSON. Times are milliseconds since 1970 UTC.
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

  -- The history of the alarms. Only the newest entries of each alarm are kept.
  CREATE TABLE history (
    entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
    alarm_id INTEGER NOT NULL REFERENCES alarm ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('configuration', 'state', 'action')),
    summary TEXT NOT NULL
  ) STRICT;
  CREATE INDEX history_of_alarm ON history (alarm_id, entry_id);

  -- An action that has not ended. The transaction that changes the alarm's state inserts it, and the transaction that
  -- records the outcome deletes it. After a crash in between, the action runs again. attempts counts the attempts that
  -- were started.
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
  -- When a user acknowledged the alarm. The next change of its state resets it to NULL.
  ALTER TABLE alarm ADD COLUMN acknowledged_at INTEGER;
  `,
  `
  -- Recent values for charts. subject is 'all', 'job NAME' or 'bucket NAME'. sampled_at (milliseconds since 1970 UTC) is
  -- the time of the last value. points has 330 little-endian 64-bit floats, NaN where no value is known: 60 of one minute, 96
  -- of 15 minutes, 84 of two hours and 90 of eight hours. Each group is oldest first, and its last period contains
  -- sampled_at. A period excludes its start and includes its end, and starts at a multiple of its length since 1970 UTC.
  CREATE TABLE recent (
    subject TEXT NOT NULL,
    metric TEXT NOT NULL,
    sampled_at INTEGER NOT NULL,
    points BLOB NOT NULL,
    PRIMARY KEY (subject, metric)
  ) STRICT;
  `,
];

/**
 * The format that this version of Holdfast writes. It is also the newest format that this version
 * can read.
 */
export const MONITORING_FORMAT = MIGRATIONS.length;
