/** Adds the ACLs, tags and encryption of versions and uploads, and the configurations of buckets. */

export const INTERFACE_SCHEMA = `
-- JSON, or NULL if unset: the ACL, the bucket policy as it was put, and the public access block.
ALTER TABLE bucket ADD COLUMN acl TEXT;
ALTER TABLE bucket ADD COLUMN policy TEXT;
ALTER TABLE bucket ADD COLUMN public_access_block TEXT;

-- JSON, or NULL if unset. encryption describes how the bytes are encrypted, but contains no key that can decrypt them.
ALTER TABLE version ADD COLUMN acl TEXT;
ALTER TABLE version ADD COLUMN tags TEXT;
ALTER TABLE version ADD COLUMN encryption TEXT;
ALTER TABLE upload ADD COLUMN acl TEXT;
ALTER TABLE upload ADD COLUMN tags TEXT;
ALTER TABLE upload ADD COLUMN encryption TEXT;

-- The configuration documents of a bucket: one JSON document for each kind that is set.
CREATE TABLE bucket_config (
  bucket_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (bucket_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER config_ends AFTER DELETE ON bucket BEGIN
  DELETE FROM bucket_config WHERE bucket_id = OLD.bucket_id;
END;
`;
