/** Converts key ranges for SQL conditions of the form `key >= start AND key < end`. */

import { compareUtf8, type ListBound } from '../../object-store/rules/listing.ts';

export type UpperBound = string | Buffer;

/** The upper bound of a range without an end. SQLite sorts every blob value after every text value. */
export const NO_UPPER_BOUND: UpperBound = Buffer.alloc(0);

/**
 * Returns the lowest name that the bound includes. No name sorts between a name and the same name followed by a NUL.
 */
export function startOf({ name, inclusive }: ListBound): string {
  return inclusive ? name : `${name}\0`;
}

/** Returns the name that sorts later by its UTF-8 bytes. */
export function laterStart(a: string, b: string): string {
  return compareUtf8(a, b) < 0 ? b : a;
}
