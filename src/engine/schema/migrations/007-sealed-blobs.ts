/** Adds the salt of blobs that are encrypted with a customer key (FORMAT.md, "Encryption"). */

export const SEALED_BLOBS_SCHEMA = `
-- 32 random bytes, from which the key of these bytes is derived with that of their object. NULL for bytes as they came.
ALTER TABLE blob ADD COLUMN salt BLOB;
`;
