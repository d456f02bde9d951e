/**
 * Headers that the protocol knows and we do not serve yet. To ignore one would be to store something other
 * than what was asked for, so each is refused before anything is stored.
 */

import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from '../protocol/dialect.ts';
import type { WireHeaders } from '../protocol/wire.ts';

/** Without the dialect's prefix; a trailing `*` stands for any ending. */
const REFUSED = [
  'copy-source-server-side-encryption-*',
  'expected-bucket-owner',
  'grant-*',
  'if-match-last-modified-time',
  'if-match-size',
  'mfa',
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

export function refuseUnsupported(headers: WireHeaders, dialect: Dialect): void {
  for (const [name, value] of headers) {
    if (!name.startsWith(dialect.headerPrefix)) continue;
    const suffix = name.slice(dialect.headerPrefix.length);
    const only = ONLY.get(suffix);
    const isServed = only === undefined ? !isRefused(suffix) : value === only;
    if (!isServed) throw refused(name, value);
  }
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
