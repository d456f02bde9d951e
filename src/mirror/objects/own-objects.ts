/**
 * Identifies the objects below the prefix that Holdfast wrote for itself. It may remove their versions, because no
 * restore returns them.
 */

import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/**
 * Matches the ownership marker, extended attributes that are too large for metadata, and files saved before they were
 * replaced.
 */
const OWN = /^(?:claim|attributes\/[0-9a-f]{64}|(?:conflict|trash)\/\d{8}\/.+)$/s;

/** Returns whether Holdfast wrote an object for itself. `key` is relative to the prefix. */
export function isOwnObject(key: string): boolean {
  const folder = `${RESERVED_FOLDER}/`;
  return key.startsWith(folder) && OWN.test(key.slice(folder.length));
}

/**
 * Returns whether old versions of a key may be removed. Objects with extended attributes are named by their content,
 * and needed while any version refers to them, so their current version always stays.
 */
export function isRemovable(newestFirst: readonly ListedVersion[], key: string): boolean {
  return !key.startsWith(`${RESERVED_FOLDER}/attributes/`) || newestFirst[0]?.kind === 'version';
}

/** Returns whether a key is in the folder for Holdfast's own objects. `below` is a key relative to the prefix. */
export function isReserved(below: string): boolean {
  return below === RESERVED_FOLDER || below.startsWith(`${RESERVED_FOLDER}/`);
}
