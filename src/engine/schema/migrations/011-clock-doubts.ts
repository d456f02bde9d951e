/**
 * Records which versions were written while the wall clock had jumped ahead, so that their dates are corrected when the
 * clock comes back.
 */

export const CLOCK_DOUBTS_SCHEMA = `
-- From the version with this sequence on, up to that of the next row, dates are ahead by so much of the time that this
-- store saw pass; 0 where it is not known. All rows are deleted when it is known which clock was right.
CREATE TABLE clock_doubt (
  from_sequence INTEGER PRIMARY KEY,
  ahead_ms INTEGER NOT NULL
) STRICT;
`;
