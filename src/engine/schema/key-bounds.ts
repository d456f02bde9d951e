/** Converts bounds of keys for SQL conditions of the form `key >= start AND key < end`. */

import { compareUtf8, type ListBound } from '../../object-store/rules/listing.ts';

export type UpperBound = string | Buffer;

/** The upper bound of a range without an end. SQLite orders every blob after every text. */
export const NO_UPPER_BOUND: UpperBound = Buffer.alloc(0);

/** Returns the lowest name at or after the bound. No name sorts between a name and that name followed by a NUL. */
export function startOf({ name, inclusive }: ListBound): string {
  return inclusive ? name : `${name}\0`;
}

/** Returns the name that sorts later in UTF-8. */
export function laterStart(a: string, b: string): string {
  return compareUtf8(a, b) < 0 ? b : a;
}
