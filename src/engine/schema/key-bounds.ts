/** Bounds of keys as SQL takes them: `key >= start AND key < end`. */

import { compareUtf8, type ListBound } from '../../object-store/rules/listing.ts';

export type UpperBound = string | Buffer;

/** To SQLite, every blob is greater than every text. */
export const NO_UPPER_BOUND: UpperBound = Buffer.alloc(0);

/** The least name at or after the bound: nothing lies between a name and itself with a NUL. */
export function startOf({ name, inclusive }: ListBound): string {
  return inclusive ? name : `${name}\0`;
}

/** Where names begin that are at or after both. */
export function laterStart(a: string, b: string): string {
  return compareUtf8(a, b) < 0 ? b : a;
}
