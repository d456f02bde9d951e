/** Creates the first schema. FORMAT.md describes the tables and the files of a store. */

export const FIRST_SCHEMA = `
-- One row with the state of the store as a whole. next_sequence is above every sequence number that was ever assigned.
-- Sequence numbers order versions and uploads, and identify blobs and manifests. None is used twice.
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  next_sequence INTEGER NOT NULL
) STRICT;
INSERT INTO store (id, next_sequence) VALUES (1, 1);

-- A bucket belongs to a user of a project of a customer. versioning is NULL until it is first set. A default retention
-- is a mode with either days or years.
CREATE TABLE bucket (
  bucket_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  owner_project TEXT NOT NULL,
  owner_user TEXT NOT NULL,
  owner_customer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  object_lock INTEGER NOT NULL CHECK (object_lock IN (0, 1)),
  versioning TEXT CHECK (versioning IN ('Enabled', 'Suspended')),
  default_retention_mode TEXT CHECK (default_retention_mode IN ('GOVERNANCE', 'COMPLIANCE')),
  default_retention_days INTEGER,
  default_retention_years INTEGER,
  CHECK (object_lock = 0 OR versioning IS 'Enabled')
) STRICT;
CREATE INDEX bucket_of_owner ON bucket (owner_customer, owner_project, owner_user, name);

-- A version or a delete marker of a key. Keys are compared by their UTF-8 bytes (BINARY collation). The latest version
-- of a key has the highest sequence number; is_latest repeats that for the index below. version_id is 'null' for the
-- version that was written without versioning; any other one contains the sequence number. The bytes are one blob or a
-- manifest of blobs; a delete marker has none. attributes is the JSON of what the client stated; NULL for nothing.
-- legal_hold is 0 for off; any other value is on.
CREATE TABLE version (
  bucket_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  version_id TEXT NOT NULL,
  is_latest INTEGER NOT NULL CHECK (is_latest IN (0, 1)),
  is_delete_marker INTEGER NOT NULL CHECK (is_delete_marker IN (0, 1)),
  last_modified_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  etag TEXT NOT NULL,
  owner TEXT NOT NULL,
  blob_id INTEGER,
  manifest_id INTEGER,
  retention_mode TEXT,
  retain_until INTEGER,
  legal_hold INTEGER NOT NULL,
  attributes TEXT,
  PRIMARY KEY (bucket_id, key, sequence DESC),
  CHECK ((blob_id IS NULL) + (manifest_id IS NULL) = 1 + is_delete_marker)
) STRICT, WITHOUT ROWID;

-- A page of listObjects is read from this index alone, however many old versions and delete markers exist.
CREATE INDEX current_object ON version (bucket_id, key, size_bytes, etag, last_modified_at)
  WHERE is_latest = 1 AND is_delete_marker = 0;

-- Finds the null version below newer versions. Empty in a bucket whose versioning was always on or always off.
CREATE INDEX noncurrent_null ON version (bucket_id, key)
  WHERE version_id = 'null' AND is_latest = 0;

-- Stored bytes. reference_count is the number of versions and parts that share them; the row is deleted with the last
-- reference. Small bodies are in the row itself, larger ones in the file blobs/aa/FILE, where FILE begins with aa.
-- segment_checksums contains one little-endian CRC-32 for each 64 KiB.
CREATE TABLE blob (
  blob_id INTEGER PRIMARY KEY,
  reference_count INTEGER NOT NULL CHECK (reference_count > 0),
  size_bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  segment_checksums BLOB NOT NULL,
  file TEXT,
  bytes BLOB,
  CHECK ((file IS NULL) <> (bytes IS NULL))
) STRICT;
CREATE UNIQUE INDEX blob_file ON blob (file) WHERE file IS NOT NULL;

-- The bytes of a multipart object: a sequence of blobs. Copies of the object share the manifest.
CREATE TABLE manifest (
  manifest_id INTEGER PRIMARY KEY,
  reference_count INTEGER NOT NULL CHECK (reference_count > 0)
) STRICT;
CREATE TABLE manifest_part (
  manifest_id INTEGER NOT NULL,
  first_byte INTEGER NOT NULL,
  part_number INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  blob_id INTEGER NOT NULL,
  PRIMARY KEY (manifest_id, first_byte, part_number)
) STRICT, WITHOUT ROWID;

-- Files to which no row refers any more. An entry is added by the transaction that removes the last reference, and
-- deleted after the file is deleted.
CREATE TABLE garbage (
  file TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- A multipart upload that is neither completed nor aborted. upload_id contains the sequence number. Attributes and
-- locks are kept here for the version that completing the upload creates.
CREATE TABLE upload (
  sequence INTEGER PRIMARY KEY,
  upload_id TEXT NOT NULL,
  bucket_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  initiated_at INTEGER NOT NULL,
  owner TEXT NOT NULL,
  retention_mode TEXT,
  retain_until INTEGER,
  legal_hold INTEGER NOT NULL,
  attributes TEXT
) STRICT;
CREATE INDEX upload_of_key ON upload (bucket_id, key, sequence);
CREATE TABLE upload_part (
  upload_sequence INTEGER NOT NULL,
  part_number INTEGER NOT NULL,
  blob_id INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  etag TEXT NOT NULL,
  last_modified_at INTEGER NOT NULL,
  PRIMARY KEY (upload_sequence, part_number)
) STRICT, WITHOUT ROWID;

-- The response to a completed upload, so that a client that lost the response can send the request again.
CREATE TABLE completed_upload (
  upload_id TEXT PRIMARY KEY,
  bucket_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  etag TEXT NOT NULL,
  version_id TEXT,
  completed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX completed_upload_age ON completed_upload (completed_at);
`;
