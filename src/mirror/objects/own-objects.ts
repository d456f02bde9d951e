/**
 * Which objects below the prefix Holdfast wrote for itself. It may remove their versions, since no restore
 * returns them.
 */

import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/**
 * The ownership marker, extended attributes too large for metadata, and files saved before they were
 * replaced.
 */
const OWN = /^(?:claim|attributes\/[0-9a-f]{64}|(?:conflict|trash)\/\d{8}\/.+)$/s;

/** `key` is below the prefix. Any other key there belongs to another client. */
export function isOwnObject(key: string): boolean {
  const folder = `${RESERVED_FOLDER}/`;
  return key.startsWith(folder) && OWN.test(key.slice(folder.length));
}

/**
 * Attribute objects are named by their content and needed while any version refers to them, so the current
 * version always stays.
 */
export function isRemovable(newestFirst: readonly ListedVersion[], key: string): boolean {
  return !key.startsWith(`${RESERVED_FOLDER}/attributes/`) || newestFirst[0]?.kind === 'version';
}

/** `below` is a key without the job's prefix. */
export function isReserved(below: string): boolean {
  return below === RESERVED_FOLDER || below.startsWith(`${RESERVED_FOLDER}/`);
}
