/** A pattern as it is matched. */

/** Codes of UTF-16 to be met one after the other, with these two among them. */
export type Codes = readonly number[];
/** `*` */
export const ANY_TEXT = -1;
/** `?`, which is one code point. */
export const ANY_CHARACTER = -2;
