/** Adds the checksums of versions and parts, which clients can state and read. */

export const CHECKSUMS_SCHEMA = `
-- A checksum is ALGORITHM:VALUE, with VALUE in base64. A composite checksum ends with - and the number of parts. NULL
-- if the checksum is unknown, as in rows that were written before this migration.
ALTER TABLE version ADD COLUMN checksum TEXT;
ALTER TABLE manifest_part ADD COLUMN checksum TEXT;
ALTER TABLE upload_part ADD COLUMN checksum TEXT;

-- The checksum to calculate for the completed object; NULL if the client did not choose one.
ALTER TABLE upload ADD COLUMN checksum_algorithm TEXT;
ALTER TABLE upload ADD COLUMN checksum_type TEXT;

-- The checksum in the response to the completion.
ALTER TABLE completed_upload ADD COLUMN checksum TEXT;
`;
