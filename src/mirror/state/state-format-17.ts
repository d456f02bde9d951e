/** Migrates to format 17, which gives the journal an integer row key. */

export const FORMAT_17 = `
  ALTER TABLE journal RENAME TO earlier_journal;
  -- Requests whose outcome is not yet known. Committed before the request is sent.
  CREATE TABLE journal (
    number     INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL, -- also in the metadata of the version that the put creates
    key        TEXT    NOT NULL,
    operation  TEXT    NOT NULL CHECK (operation IN ('put', 'delete')),
    expected   TEXT,             -- ETag of the current version; null: none exists
    sha256     TEXT,
    entry      TEXT,             -- JSON: the baseline row that the put results in
    supersedes TEXT,             -- JSON: the version of another client that the put supersedes
    started_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO journal (id, key, operation, expected, sha256, entry, supersedes, started_at)
    SELECT id, key, operation, expected, sha256, entry, supersedes, started_at
      FROM earlier_journal ORDER BY started_at;
  DROP TABLE earlier_journal;
`;
