/** Creates the strings to sign for requests, and for the chunks and the trailers of streaming bodies. */

import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

import type { Dialect } from '../dialect.ts';

export interface Signing {
  readonly dialect: Dialect;
  /** The time of the signature, `YYYYMMDDThhmmssZ`. */
  readonly timestamp: string;
  /** The credential scope as sent, `date/region/service/terminator`. */
  readonly scope: string;
}

/** The SHA-256 of an empty body. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function stringToSign(signing: Signing, canonicalRequest: string): string {
  const digest = hash('sha256', Buffer.from(canonicalRequest, 'latin1'), 'hex');
  return `${signing.dialect.algorithm}\n${signing.timestamp}\n${signing.scope}\n${digest}`;
}

/**
 * Returns the string to sign for a chunk (semantics B.11.4). `previous` is the signature of the previous chunk, or of
 * the request for the first chunk. `sha256` is the SHA-256 of the chunk in hex.
 */
export function chunkStringToSign(signing: Signing, previous: string, sha256: string): string {
  const { dialect, timestamp, scope } = signing;
  const algorithm = `${dialect.algorithm}-PAYLOAD`;
  return [algorithm, timestamp, scope, previous, EMPTY_SHA256, sha256].join('\n');
}

/**
 * Returns the string to sign for the trailers. `previous` is the signature of the last chunk. `sha256` is the SHA-256,
 * in hex, of the trailers as lines of the form `name:value\n`.
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
 * Returns whether two signatures are equal. If they have the same length, the comparison takes constant time.
 * Signatures are case-sensitive, even in hex.
 */
export function sameSignature(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Matches customer-provided keys and their digests in headers and query parameters. */
const CUSTOMER_KEY = /(customer-key(?:-md5)?[:=])[^&\n]*/gi;

/**
 * Decodes the latin1 text of a signed request and masks its customer-provided keys, because an error must not contain
 * them.
 */
export function withoutCustomerKeys(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8').replace(CUSTOMER_KEY, '$1***');
}
