/** Formats object names in questions, for display and for the user to type. */

import type { Look } from '../theme/look.ts';

/** Matches printable ASCII up to 40 characters, which users can type on any keyboard. */
const TYPEABLE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,38}[\u0021-\u007e])?$/;

/** Returns the last component of a key if the user can type it, otherwise the bucket name. */
export function nameToType(key: string, bucket: string): string {
  const name = lastName(key);
  return TYPEABLE.test(name) ? name : bucket;
}

/**
 * Returns the last component of a key: `contract.pdf` for `2026/07/contract.pdf`, and `thumbs/` for
 * a folder.
 */
export function lastName(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}

const MOST_CELLS = 60;

/** Returns the last component of a key, escaped and shortened for titles and messages. */
export function shownName(key: string, look: Look): string {
  return look.cut(look.name(lastName(key)), MOST_CELLS, 'middle');
}

/** Returns the name `contract.pdf` for a single key, and the number of keys otherwise. */
export function shownNames(keys: readonly string[], look: Look): string {
  const [first = ''] = keys;
  return keys.length === 1 ? shownName(first, look) : `${keys.length} objects`;
}

/** The width of a version id in lists and messages. */
export const VERSION_CELLS = 10;
