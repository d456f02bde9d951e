/** What Holdfast itself put below the prefix, and so may remove versions of: nothing restores a tree to one of these. */

import { RESERVED_FOLDER } from '../model/local-path.ts';
import type { ListedVersion } from '../../object-store/listing.ts';

/** The claim, attributes that are too large for metadata, and what was saved before it gave way. */
const OWN = /^(?:claim|attributes\/[0-9a-f]{64}|(?:conflict|trash)\/\d{8}\/.+)$/s;

/** `key` is below the prefix. Anything else there is somebody's. */
export function isOwnObject(key: string): boolean {
  const folder = `${RESERVED_FOLDER}/`;
  return key.startsWith(folder) && OWN.test(key.slice(folder.length));
}

/** Attributes are named by their content, and needed while a version of some file names them: one always stays. */
export function mayGo(newestFirst: readonly ListedVersion[], key: string): boolean {
  return !key.startsWith(`${RESERVED_FOLDER}/attributes/`) || newestFirst[0]?.kind === 'version';
}

/** `below` is a key without its job's prefix. */
export function isReserved(below: string): boolean {
  return below === RESERVED_FOLDER || below.startsWith(`${RESERVED_FOLDER}/`);
}
