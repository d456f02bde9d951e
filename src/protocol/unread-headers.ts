/**
 * Rejects known vendor headers that the operation does not read. If an operation ignored such a header, it would not do
 * what the client requested. Known headers without effect are accepted. Headers that are not part of the protocol are
 * ignored, as in other services, because a new SDK version may add a header to every request.
 */

import { StorageError } from '../object-store/storage-error.ts';

/**
 * Name prefixes, without the vendor prefix, of headers that change what a request does. Checksum headers are not in
 * this list, because `readDeclaredDigests` rejects unknown algorithms.
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

/** A header of HEAD responses that s3cmd sends back when it changes metadata. It has no effect in a request. */
const RETURNED_BY_HEAD = 'tagging-count';

/** For each header, the values that have no effect. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ['acl', ['private']],
  ['checksum-type', ['FULL_OBJECT']],
  // s3fs sends REPLACE when it creates a multipart upload for a copy. A multipart upload always uses the metadata of
  // its own request.
  ['metadata-directive', ['REPLACE']],
  ['storage-class', ['STANDARD']],
  ['tagging', ['']],
  ['tagging-directive', ['COPY', 'REPLACE']],
]);

const SHOWN_CHARACTERS = 80;

/**
 * Throws NotImplemented for the first header that has an effect, or InvalidStorageClass if that header is the storage
 * class. The names in `unread` omit the vendor prefix. The error message contains the value only for the storage class,
 * because other values may be secrets.
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
