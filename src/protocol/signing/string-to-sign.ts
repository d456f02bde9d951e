/** Creates the strings to sign of requests, of chunks of a streaming body, and of its trailers. */

import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

import type { Dialect } from '../dialect.ts';

export interface Signing {
  readonly dialect: Dialect;
  /** The time of the signature, `YYYYMMDDThhmmssZ`. */
  readonly timestamp: string;
  /** The credential scope, `date/region/service/terminator`, as sent. */
  readonly scope: string;
}

/** The SHA-256 of no bytes. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function stringToSign(signing: Signing, canonicalRequest: string): string {
  const digest = hash('sha256', Buffer.from(canonicalRequest, 'latin1'), 'hex');
  return `${signing.dialect.algorithm}\n${signing.timestamp}\n${signing.scope}\n${digest}`;
}

/**
 * Returns the string to sign of a chunk (semantics B.11.4). `previous` is the signature before it, and `sha256` is the
 * SHA-256 of the chunk in hex.
 */
export function chunkStringToSign(signing: Signing, previous: string, sha256: string): string {
  const { dialect, timestamp, scope } = signing;
  const algorithm = `${dialect.algorithm}-PAYLOAD`;
  return [algorithm, timestamp, scope, previous, EMPTY_SHA256, sha256].join('\n');
}

/**
 * Returns the string to sign of the trailers. `previous` is the signature of the last chunk, and `sha256` is the SHA-256 of
 * one line `name:value\n` for each trailer, in hex.
 */
export function trailerStringToSign(signing: Signing, previous: string, sha256: string): string {
  const { dialect, timestamp, scope } = signing;
  return [`${dialect.algorithm}-TRAILER`, timestamp, scope, previous, sha256].join('\n');
}

/** Returns the signature in lower-case hex. */
export function signatureOf(signingKey: KeyObject, stringToSign: string): string {
  return createHmac('sha256', signingKey).update(stringToSign, 'latin1').digest('hex');
}

/**
 * Returns whether two signatures are equal. Compares them in constant time if their lengths are equal. Signatures are
 * case-sensitive, even in hex.
 */
export function sameSignature(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Matches customer keys and their digests in headers and in query parameters. */
const CUSTOMER_KEY = /(customer-key(?:-md5)?[:=])[^&\n]*/gi;

/** Decodes the Latin-1 text of a signed request, and replaces its customer keys, which no error may contain. */
export function withoutCustomerKeys(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8').replace(CUSTOMER_KEY, '$1***');
}
