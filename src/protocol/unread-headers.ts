/**
 * Vendor headers that the operation does not read. To ignore one would be to do something other than what was asked
 * for, so each is refused by name before anything is stored, except those that change nothing.
 */

import { CHECKSUM_ALGORITHMS } from '../object-store/checksum.ts';
import { StorageError } from '../object-store/storage-error.ts';

/** Without the dialect's prefix: what is read of every request, and what only describes the client. */
const READ_ELSEWHERE = new Set([
  ...CHECKSUM_ALGORITHMS.map((algorithm) => `checksum-${algorithm.toLowerCase()}`),
  'checksum-algorithm',
  'checksum-mode',
  'content-sha256',
  'date',
  'decoded-content-length',
  'expected-bucket-owner',
  // A HEAD answered these two, and s3cmd sends them back with the attributes that it changes.
  'expiration',
  'tagging-count',
  // Nothing is archived here.
  'optional-object-attributes',
  // And nobody pays.
  'request-payer',
  'sdk-checksum-algorithm',
  'source-expected-bucket-owner',
  'te',
  'trailer',
  // Nothing moves to another class.
  'transition-default-minimum-object-size',
  'user-agent',
]);

/** User attributes on a request that stores none of them. */
const ATTRIBUTE = 'meta-';

/** With these values they ask for what happens anyway. */
const ANYWAY: ReadonlyMap<string, readonly string[]> = new Map([
  ['acl', ['private']],
  ['checksum-type', ['FULL_OBJECT']],
  // s3fs says so when it begins to copy in parts: the new object has the attributes given here.
  ['metadata-directive', ['REPLACE']],
  ['storage-class', ['STANDARD']],
  ['tagging', ['']],
  ['tagging-directive', ['COPY', 'REPLACE']],
]);

/** `unread` without the prefix. Throws NotImplemented for the first that matters; values may be secrets, and are not told. */
export function refuseUnread(
  unread: Iterable<readonly [suffix: string, value: string]>,
  prefix: string,
): void {
  for (const [suffix, value] of unread) {
    if (READ_ELSEWHERE.has(suffix) || suffix.startsWith(ATTRIBUTE)) continue;
    if (ANYWAY.get(suffix)?.includes(value)) continue;
    const name = prefix + suffix;
    throw new StorageError('NotImplemented', `read headers: ${name} is not implemented here`, {
      details: { Header: name },
    });
  }
}
