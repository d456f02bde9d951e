/** Signs requests for the client (semantics B.11.1). */

import type { KeyObject } from 'node:crypto';

import type { Dialect } from '../dialect.ts';
import { toHeaderBytes } from '../header-text.ts';
import type { WireHeaders, WireRequest } from '../wire.ts';
import { formatAuthorization } from './authorization-header.ts';
import { allHeaders, canonicalRequest } from './canonical-request.ts';
import { type CredentialScope, formatScope } from './credential-scope.ts';
import type { SigningCredentials, SigningKeys } from './signing-key.ts';
import { signatureOf, stringToSign, type Signing } from './string-to-sign.ts';
import { dayOf, formatTimestamp } from './timestamp.ts';

export interface SignOptions {
  readonly dialect: Dialect;
  readonly region: string;
  readonly credentials: SigningCredentials;
  readonly keys: SigningKeys;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  /** The value of the content-sha256 header. */
  readonly payloadHash: string;
}

/**
 * The request's signature, which starts the chain of chunk signatures, and the values that are needed to sign the
 * chunks.
 */
export interface Seed extends Signing {
  readonly signature: string;
  readonly signingKey: KeyObject;
}

export interface SignedRequest {
  /**
   * All headers of the request, including the date, content-sha256 and authorization headers and, if present, the
   * session token.
   */
  readonly headers: WireHeaders;
  readonly seed: Seed;
}

/**
 * Signs a request, and returns its headers and the seed for its chunk signatures. The signature covers all headers of
 * `request`, which must include `host`.
 */
export function signRequest(request: WireRequest, options: SignOptions): SignedRequest {
  const { dialect, region, credentials, keys, now, payloadHash } = options;
  const timestamp = formatTimestamp(now);
  const { service, terminator } = dialect;
  const scope: CredentialScope = { date: dayOf(timestamp), region, service, terminator };
  const headers: WireHeaders[number][] = [
    ...request.headers,
    [`${dialect.headerPrefix}date`, timestamp],
    [`${dialect.headerPrefix}content-sha256`, payloadHash],
  ];
  const { sessionToken } = credentials;
  if (sessionToken !== undefined)
    headers.push([`${dialect.headerPrefix}security-token`, sessionToken]);
  const signed = allHeaders(headers);
  const signing: Signing = { dialect, timestamp, scope: formatScope(scope) };
  const signingKey = keys.keyFor(credentials, scope, dialect);
  const canonical = canonicalRequest(request, signed, payloadHash);
  const signature = signatureOf(signingKey, stringToSign(signing, canonical));
  const credential = `${toHeaderBytes(credentials.accessKeyId)}/${signing.scope}`;
  const claims = { credential, signedHeaders: signed.names, signature };
  headers.push(['authorization', formatAuthorization(dialect, claims)]);
  return { headers, seed: { ...signing, signature, signingKey } };
}
