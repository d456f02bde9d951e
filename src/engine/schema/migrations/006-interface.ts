/** Adds the ACLs, tags and encryption of versions and uploads, and the configurations of buckets. */

export const INTERFACE_SCHEMA = `
-- JSON, NULL for none: the access control list, the policy as it was given, and the four switches against public access.
ALTER TABLE bucket ADD COLUMN acl TEXT;
ALTER TABLE bucket ADD COLUMN policy TEXT;
ALTER TABLE bucket ADD COLUMN public_access_block TEXT;

-- JSON, NULL for none. encryption says how the bytes are encrypted, and holds no key that opens them.
ALTER TABLE version ADD COLUMN acl TEXT;
ALTER TABLE version ADD COLUMN tags TEXT;
ALTER TABLE version ADD COLUMN encryption TEXT;
ALTER TABLE upload ADD COLUMN acl TEXT;
ALTER TABLE upload ADD COLUMN tags TEXT;
ALTER TABLE upload ADD COLUMN encryption TEXT;

-- The other configurations of a bucket, one JSON document for each kind that is set.
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
