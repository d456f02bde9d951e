/** Parses presigned URLs. A presigned URL contains its signature in the query (semantics B.11.2). */

import { StorageError } from '../../object-store/storage-error.ts';
import type { Dialect } from '../dialect.ts';
import type { ReceivedRequest } from '../received-request.ts';
import type { WireQuery } from '../wire.ts';
import { parseSignedHeaders } from './authorization-header.ts';
import type { Claims } from './claims.ts';
import { parseCredential } from './credential-scope.ts';
import { parsePayloadMode, UNSIGNED_PAYLOAD } from './payload-mode.ts';
import { parseTimestamp } from './timestamp.ts';

/** The longest time that a presigned URL may be valid: seven days. */
export const MAX_EXPIRES_SECONDS = 604_800;
const AUTH_PARAMETERS = new Set([
  'Algorithm',
  'Credential',
  'Date',
  'Expires',
  'SignedHeaders',
  'Signature',
]);

/** Returns whether a query parameter belongs to the signature or has no effect. */
export function isSignatureParameter(name: string, { queryPrefix }: Dialect): boolean {
  const suffix = name.startsWith(queryPrefix) ? name.slice(queryPrefix.length) : '';
  return AUTH_PARAMETERS.has(suffix) || suffix === 'Content-Sha256' || suffix === 'User-Agent';
}

/** Returns whether the query has a parameter of signature version 4 in this dialect. */
export function isPresigned(query: WireQuery, { queryPrefix }: Dialect): boolean {
  return query.some(
    ([name]) => name.startsWith(queryPrefix) && AUTH_PARAMETERS.has(name.slice(queryPrefix.length)),
  );
}

/** Returns whether the query contains a signature of version 2, `AWSAccessKeyId=…&Expires=…&Signature=…`. */
export function isPresignedV2(query: WireQuery): boolean {
  return query.some(([name]) => name === 'AWSAccessKeyId');
}

/**
 * Returns the signature claims of a presigned URL. Throws AuthorizationQueryParametersError if a signature parameter
 * is missing, repeated or invalid, and InvalidRequest for a streaming body.
 */
export function queryClaims(request: ReceivedRequest): Claims {
  const { dialect } = request;
  const read = (name: string) => parameter(request.query, dialect, name);
  if (read('Algorithm') !== dialect.algorithm) throw malformed(dialect, 'Algorithm');
  const credential = parseCredential(read('Credential'));
  const signedHeaders = parseSignedHeaders(read('SignedHeaders'));
  const timestamp = read('Date');
  const signedAt = parseTimestamp(timestamp);
  if (!credential) throw malformed(dialect, 'Credential');
  if (!signedHeaders) throw malformed(dialect, 'SignedHeaders');
  if (signedAt === undefined) throw malformed(dialect, 'Date');
  const signatureName = `${dialect.queryPrefix}Signature`;
  return {
    authType: 'query',
    dialect,
    credential,
    signedHeaders,
    signature: read('Signature'),
    request: { ...request, query: request.query.filter(([name]) => name !== signatureName) },
    timestamp,
    signedAt,
    expiresSeconds: readExpires(read('Expires'), dialect),
    ...readPayload(request),
  };
}

/**
 * Returns the payload hash and mode of a presigned request. Throws InvalidRequest for a streaming body, because its
 * chunk signatures require a signature in the Authorization header. Some services used to accept such chunks without
 * verifying them.
 */
function readPayload({ headers, query, dialect }: ReceivedRequest) {
  const hashName = `${dialect.queryPrefix}Content-Sha256`;
  const payloadHash =
    headers.get(`${dialect.headerPrefix}content-sha256`) ??
    query.find(([name]) => name === hashName)?.[1] ??
    UNSIGNED_PAYLOAD;
  const payload = parsePayloadMode(payloadHash, dialect);
  if (payload.kind !== 'chunked') return { payloadHash, payload };
  throw new StorageError(
    'InvalidRequest',
    'read presigned request: a streaming body must be signed in the Authorization header',
  );
}

function readExpires(text: string, dialect: Dialect): number {
  const seconds = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_EXPIRES_SECONDS) return seconds;
  throw malformed(
    dialect,
    'Expires',
    `must be a number of seconds from 1 to ${MAX_EXPIRES_SECONDS}`,
  );
}

function parameter(query: WireQuery, dialect: Dialect, name: string): string {
  const values = query.filter(([each]) => each === dialect.queryPrefix + name);
  const value = values[0]?.[1];
  if (value === undefined || value === '') throw malformed(dialect, name, 'is missing');
  if (values.length > 1) throw malformed(dialect, name, 'must not be present twice');
  return value;
}

function malformed(dialect: Dialect, name: string, reason = 'is not valid'): StorageError {
  return new StorageError(
    'AuthorizationQueryParametersError',
    `read presigned request: ${dialect.queryPrefix}${name} ${reason}`,
  );
}
