/** Formats and parses checksums as the database stores them (FORMAT.md, "Checksums"). */

import {
  type Checksum,
  CHECKSUM_ALGORITHMS,
  type ObjectChecksum,
} from '../../object-store/checksum.ts';
import { StorageError } from '../../object-store/storage-error.ts';

const SEPARATOR = ':';

export function formatChecksum(checksum: Checksum): string;
export function formatChecksum(checksum: Checksum | undefined): string | null;
export function formatChecksum(checksum: Checksum | undefined): string | null {
  return checksum === undefined ? null : checksum.algorithm + SEPARATOR + checksum.value;
}

/**
 * Returns a stored checksum, or undefined for null. Throws `InternalError` if the text has no known algorithm or no
 * value.
 */
export function parseChecksum(text: string | null): ObjectChecksum | undefined {
  if (text === null) return undefined;
  const [name, value] = text.split(SEPARATOR);
  const algorithm = CHECKSUM_ALGORITHMS.find((each) => each === name);
  if (algorithm === undefined || value === undefined) {
    throw new StorageError('InternalError', 'read checksum: the store is damaged');
  }
  return { algorithm, value, type: value.includes('-') ? 'COMPOSITE' : 'FULL_OBJECT' };
}

export function parsePartChecksum(text: string | null): Checksum | undefined {
  const checksum = parseChecksum(text);
  return checksum && { algorithm: checksum.algorithm, value: checksum.value };
}
