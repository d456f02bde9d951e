/** Adds the salt of blobs that are encrypted with a customer key (FORMAT.md, "Encryption"). */

export const SEALED_BLOBS_SCHEMA = `
-- The salt of an encrypted blob: 32 random bytes. The key of the blob is derived from it and from the object key. NULL
-- for an unencrypted blob.
ALTER TABLE blob ADD COLUMN salt BLOB;
`;
