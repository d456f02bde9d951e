/** Adds columns that record whether a legal hold was ever set explicitly to ON or OFF. */

export const LEGAL_HOLD_SCHEMA = `
-- 1 if a client set the legal hold to on or off. It distinguishes a hold that is off from one that was never set. Only
-- legal_hold decides whether the version is locked.
ALTER TABLE version ADD COLUMN legal_hold_stated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE upload ADD COLUMN legal_hold_stated INTEGER NOT NULL DEFAULT 0;
`;
