/** Names of objects in questions, for display and for typing. */

import type { Look } from '../theme/look.ts';

/** Printable ASCII up to 40 characters, which users can type on any keyboard. */
const TYPEABLE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,38}[\u0021-\u007e])?$/;

/** Returns the last part of a key if it can be typed, otherwise the name of the bucket. */
export function nameToType(key: string, bucket: string): string {
  const name = lastName(key);
  return TYPEABLE.test(name) ? name : bucket;
}

/** Returns `contract.pdf` for `2026/07/contract.pdf`, and `thumbs/` for a folder. */
export function lastName(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}

const MOST_CELLS = 60;

/** Returns the name for titles and messages. */
export function shownName(key: string, look: Look): string {
  return look.cut(look.name(lastName(key)), MOST_CELLS, 'middle');
}

/** Returns `contract.pdf` for a single key, otherwise the number of keys. */
export function shownNames(keys: readonly string[], look: Look): string {
  const [first = ''] = keys;
  return keys.length === 1 ? shownName(first, look) : `${keys.length} objects`;
}
