/**
 * Vendor headers that the operation does not read. To ignore a known one would be to do something other than what was
 * asked for, so each is refused by name before anything is stored, except those that change nothing. Headers that are not
 * part of the protocol are ignored, as services do: the next SDK may add one to each request.
 */

import { StorageError } from '../object-store/storage-error.ts';

/**
 * Headers of the protocol that ask a service for something, by the start of their names without the dialect's prefix.
 * Checksums are not among them: the verification of the payload refuses unknown algorithms.
 */
const SIGNIFICANT = [
  'acl',
  'bucket-object-lock-',
  'bypass-governance-retention',
  'checksum-type',
  'copy-source',
  'grant-',
  'if-match-',
  'metadata-directive',
  'mfa',
  'mp-object-size',
  'object-lock-',
  'object-ownership',
  'rename-source',
  'security-token',
  'server-side-encryption',
  'storage-class',
  'tagging',
  'website-redirect-location',
  'write-offset-bytes',
];

/** A HEAD answered it, and s3cmd sends it back with the attributes that it changes. */
const RETURNED_BY_HEAD = 'tagging-count';

/** With these values they ask for what happens anyway. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ['acl', ['private']],
  ['checksum-type', ['FULL_OBJECT']],
  // s3fs says so when it begins to copy in parts: the new object has the attributes given here.
  ['metadata-directive', ['REPLACE']],
  ['storage-class', ['STANDARD']],
  ['tagging', ['']],
  ['tagging-directive', ['COPY', 'REPLACE']],
]);

const SHOWN_CHARACTERS = 80;

/**
 * `unread` without the prefix. Throws NotImplemented for the first that matters, and InvalidStorageClass. Other values
 * may be secrets, and are not in the error.
 */
export function refuseUnread(
  unread: Iterable<readonly [suffix: string, value: string]>,
  prefix: string,
): void {
  for (const [suffix, value] of unread) {
    if (suffix === RETURNED_BY_HEAD || !SIGNIFICANT.some((start) => suffix.startsWith(start)))
      continue;
    if (WITHOUT_EFFECT.get(suffix)?.includes(value)) continue;
    const name = prefix + suffix;
    if (suffix === 'storage-class') throw invalidStorageClass(name, value);
    throw new StorageError('NotImplemented', `read headers: ${name} is not implemented here`, {
      details: { Header: name },
    });
  }
}

function invalidStorageClass(name: string, value: string): StorageError {
  const asked = value.slice(0, SHOWN_CHARACTERS);
  return new StorageError(
    'InvalidStorageClass',
    `read headers: ${name} must be STANDARD, not ${JSON.stringify(asked)}`,
    { details: { StorageClassRequested: asked } },
  );
}
