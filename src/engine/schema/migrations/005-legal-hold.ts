/** Adds columns that record whether a legal hold was ever set explicitly to ON or OFF. */

export const LEGAL_HOLD_SCHEMA = `
-- 1 where a writer stated whether there is a hold, so that one that is off differs from one that was never set.
-- It protects nothing: legal_hold alone does.
ALTER TABLE version ADD COLUMN legal_hold_stated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE upload ADD COLUMN legal_hold_stated INTEGER NOT NULL DEFAULT 0;
`;
