/** Names of objects in questions: what is shown, and what can be typed. */

import type { Look } from '../theme/look.ts';

/** What a person is ready to type, with keys that any keyboard has. */
const TYPEABLE = /^[\u0021-\u007e](?:[\u0020-\u007e]{0,38}[\u0021-\u007e])?$/;

/** The last part of a key where it can be typed, else what stands for it: the name of the bucket. */
export function nameToType(key: string, bucket: string): string {
  const name = lastName(key);
  return TYPEABLE.test(name) ? name : bucket;
}

/** `contract.pdf` of `2026/07/contract.pdf`, `thumbs/` of a folder. */
export function lastName(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}

const MOST_CELLS = 60;

/** For titles and messages. */
export function shownName(key: string, look: Look): string {
  return look.cut(look.name(lastName(key)), MOST_CELLS, 'middle');
}

/** `contract.pdf`, or how many there are. */
export function shownNames(keys: readonly string[], look: Look): string {
  const [first = ''] = keys;
  return keys.length === 1 ? shownName(first, look) : `${keys.length} objects`;
}
