/**
 * Identifies the objects below the prefix that Holdfast wrote for its own use. Their versions may be removed, because
 * no restore returns them.
 */

import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/**
 * Matches the ownership marker, extended attributes that are too large for metadata, and copies of files that were
 * replaced.
 */
const OWN = /^(?:claim|attributes\/[0-9a-f]{64}|(?:conflict|trash)\/\d{8}\/.+)$/s;

/** Returns whether Holdfast wrote an object for its own use. `key` is relative to the prefix. */
export function isOwnObject(key: string): boolean {
  const folder = `${RESERVED_FOLDER}/`;
  return key.startsWith(folder) && OWN.test(key.slice(folder.length));
}

/**
 * Returns whether a key's old versions may be removed. Objects with extended attributes are named by their content, and
 * any version may refer to them. Their current version therefore always stays.
 */
export function isRemovable(newestFirst: readonly ListedVersion[], key: string): boolean {
  return !key.startsWith(`${RESERVED_FOLDER}/attributes/`) || newestFirst[0]?.kind === 'version';
}

/** Returns whether a key is in the folder for Holdfast's own objects. `below` is relative to the prefix. */
export function isReserved(below: string): boolean {
  return below === RESERVED_FOLDER || below.startsWith(`${RESERVED_FOLDER}/`);
}
