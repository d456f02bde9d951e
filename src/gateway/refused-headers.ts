/**
 * Headers that the protocol knows and we do not serve yet. To ignore one would be to store something other
 * than what was asked for, so each is refused before anything is stored.
 */

import { StorageError } from '../object-store/storage-error.ts';
import type { OperationName } from '../protocol/operations.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { WireHeaders, WireQuery } from '../protocol/wire.ts';

/** Without the dialect's prefix; a trailing `*` stands for any ending. */
const REFUSED = [
  'copy-source-server-side-encryption-*',
  'expected-bucket-owner',
  'grant-*',
  'if-match-last-modified-time',
  'if-match-size',
  'mfa',
  'mp-object-size',
  'object-ownership',
  'rename-source*',
  'security-token',
  'server-side-encryption*',
  'source-expected-bucket-owner',
  'tagging',
  'tagging-directive',
  'website-redirect-location',
  'write-offset-bytes',
] as const;

const EXACT = new Set<string>(REFUSED.filter((name) => !name.endsWith('*')));
const STARTS = REFUSED.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));

/** Served with these values only: each is what happens anyway. */
const ONLY: ReadonlyMap<string, string> = new Map([
  ['acl', 'private'],
  ['storage-class', 'STANDARD'],
]);

/** Query parameters likewise, by the operations that would have to serve them. */
const REFUSED_QUERY: Partial<Record<OperationName, readonly string[]>> = {
  GetObject: ['partNumber'],
  HeadObject: ['partNumber'],
  ListMultipartUploads: ['delimiter'],
};

/** Of a completion, `checksum-crc32` and its like speak of the whole object, and not of the request's body. */
const CHECKSUM_OF_OBJECT = 'checksum-';

export function refuseUnsupported(
  operation: OperationName,
  { headers, query }: { readonly headers: WireHeaders; readonly query: WireQuery },
  dialect: Dialect,
): void {
  for (const [name, value] of headers) {
    if (!name.startsWith(dialect.headerPrefix)) continue;
    const suffix = name.slice(dialect.headerPrefix.length);
    const only = ONLY.get(suffix);
    const isServed = only === undefined ? !isRefused(suffix) : value === only;
    const isOfObject =
      operation === 'CompleteMultipartUpload' && suffix.startsWith(CHECKSUM_OF_OBJECT);
    if (!isServed || isOfObject) throw refused(name, value);
  }
  const refusedNames = REFUSED_QUERY[operation];
  if (refusedNames === undefined) return;
  for (const [name, value] of query) if (refusedNames.includes(name)) throw refused(name, value);
}

function isRefused(suffix: string): boolean {
  return EXACT.has(suffix) || STARTS.some((start) => suffix.startsWith(start));
}

function refused(name: string, value: string): StorageError {
  // The value of an encryption key is a secret, and no value is needed to understand the refusal.
  const shown = name.includes('-key') || name.endsWith('-token') ? name : `${name}: ${value}`;
  return new StorageError('NotImplemented', `read headers: ${shown} is not implemented`, {
    details: { Header: name },
  });
}
