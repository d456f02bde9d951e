/**
 * Rejects known vendor headers that the operation does not read, because an operation that ignored one would not do what
 * the client requested. Headers without effect are accepted. Headers that are not part of the protocol are ignored, as
 * services do, because a new version of an SDK may add one to every request.
 */

import { StorageError } from '../object-store/storage-error.ts';

/**
 * The beginnings of the names, without the dialect's prefix, of headers that change what a request does. Headers that
 * contain a checksum are not in the list, because `readDeclaredDigests` rejects unknown algorithms.
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

/** A header of responses to HEAD, which s3cmd sends back when it changes attributes. It has no effect in a request. */
const RETURNED_BY_HEAD = 'tagging-count';

/** The values with which each header has no effect. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ['acl', ['private']],
  ['checksum-type', ['FULL_OBJECT']],
  // s3fs sends REPLACE when it creates a multipart upload for a copy. The upload always has the attributes of its own request.
  ['metadata-directive', ['REPLACE']],
  ['storage-class', ['STANDARD']],
  ['tagging', ['']],
  ['tagging-directive', ['COPY', 'REPLACE']],
]);

const SHOWN_CHARACTERS = 80;

/**
 * Throws NotImplemented for the first header that has an effect, or InvalidStorageClass if it is the storage class. The
 * names in `unread` do not have the dialect's prefix. The error contains no header value but the storage class, because
 * other values may be secrets.
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
    throw new StorageError(
      'NotImplemented',
      `read headers: ${name} is not implemented for this operation`,
      {
        details: { Header: name },
      },
    );
  }
}

function invalidStorageClass(name: string, value: string): StorageError {
  const requested = value.slice(0, SHOWN_CHARACTERS);
  return new StorageError(
    'InvalidStorageClass',
    `read headers: ${name} must be STANDARD, not ${JSON.stringify(requested)}`,
    { details: { StorageClassRequested: requested } },
  );
}
