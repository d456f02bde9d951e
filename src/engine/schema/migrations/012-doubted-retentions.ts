/** Records default retentions that were calculated from the trusted time while the wall clock was ahead of it. */

export const DOUBTED_RETENTIONS_SCHEMA = `
-- A version whose default retention ends too early if the wall clock is right, and the end that is correct in that
-- case. All rows are deleted when it is known which clock was right.
CREATE TABLE doubted_retention (
  sequence INTEGER PRIMARY KEY,
  bucket_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  retain_until INTEGER NOT NULL
) STRICT;
`;
