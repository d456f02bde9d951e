/** Adds the checksums of versions and parts, which clients can state and read. */

export const CHECKSUMS_SCHEMA = `
-- A checksum is ALGORITHM:VALUE, VALUE being base64, of a composite one with - and the number of parts after it.
-- NULL where none is known: for what was written before this.
ALTER TABLE version ADD COLUMN checksum TEXT;
ALTER TABLE manifest_part ADD COLUMN checksum TEXT;
ALTER TABLE upload_part ADD COLUMN checksum TEXT;

-- Of what the checksum of the completed object is to be made; NULL where the client left it open.
ALTER TABLE upload ADD COLUMN checksum_algorithm TEXT;
ALTER TABLE upload ADD COLUMN checksum_type TEXT;

-- Belongs to what the completion was answered.
ALTER TABLE completed_upload ADD COLUMN checksum TEXT;
`;
