/**
 * Rejects known vendor headers that the operation does not read, because ignoring one would perform another operation than
 * the requested one. Headers without effect are accepted. Headers that are not part of the protocol are ignored, as services
 * do, because a new version of an SDK may add one to every request.
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

/** A response to HEAD has it, and s3cmd sends it back when it changes attributes. */
const RETURNED_BY_HEAD = 'tagging-count';

/** Values with which a header has no effect. */
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
 * `unread` are headers without the dialect's prefix. Throws NotImplemented for the first header that has an effect, and
 * InvalidStorageClass. The error never contains other values, which may be secrets.
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
