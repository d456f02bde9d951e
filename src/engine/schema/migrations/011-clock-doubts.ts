/**
 * Records which versions were written while the wall clock had jumped ahead, so that their dates are corrected when the
 * clock comes back.
 */

export const CLOCK_DOUBTS_SCHEMA = `
-- The versions from this sequence number up to that of the next row have dates that are ahead of the measured time by
-- ahead_ms; 0 if they are not ahead, or if that is unknown. All rows are deleted when it is known which clock was right.
CREATE TABLE clock_doubt (
  from_sequence INTEGER PRIMARY KEY,
  ahead_ms INTEGER NOT NULL
) STRICT;
`;
