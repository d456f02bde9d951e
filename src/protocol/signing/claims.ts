/**
 * Reads the claims of a request: what the request states about its signer, time and payload, before the signature is
 * verified.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import { parseHttpDate } from '../dates.ts';
import type { Dialect } from '../dialect.ts';
import { fromHeaderBytes } from '../header-text.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { type Authorization, parseAuthorization } from './authorization-header.ts';
import { parsePayloadMode, type PayloadMode } from './payload-mode.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

export interface Claims extends Authorization {
  readonly authType: 'header' | 'query';
  readonly dialect: Dialect;
  /** The signed request. For a presigned URL, the query does not contain the signature. */
  readonly request: ReceivedRequest;
  readonly timestamp: string;
  /** The time of the signature in milliseconds since 1970. */
  readonly signedAt: number;
  /**
   * How long a presigned URL is valid, in seconds after `signedAt`. Absent for a signature in the Authorization header.
   */
  readonly expiresSeconds?: number;
  /**
   * The payload hash in the canonical request. It is the value of the content-sha256 header. If that header is absent,
   * it is `bodySha256`. For a presigned URL without that header, it is the value of the hash parameter or
   * UNSIGNED-PAYLOAD.
   */
  readonly payloadHash: string;
  readonly payload: PayloadMode;
}

/**
 * Returns the claims of a request with an `Authorization` header. `bodySha256` is used if the request has no
 * content-sha256 header. The clients of some services sign the body without sending that header.
 */
export function headerClaims(request: ReceivedRequest, bodySha256?: string): Claims {
  const { headers, dialect } = request;
  const authorization = parseAuthorization(headers.get('authorization') ?? '', dialect);
  const { credential } = authorization;
  const payloadHash = readPayloadHash(request, bodySha256);
  const date = readDate(request);
  return {
    ...authorization,
    credential: { ...credential, accessKeyId: fromHeaderBytes(credential.accessKeyId) },
    authType: 'header',
    dialect,
    request,
    ...date,
    payloadHash,
    payload: parsePayloadMode(payloadHash, dialect),
  };
}

function readPayloadHash(
  { headers, dialect }: ReceivedRequest,
  bodySha256: string | undefined,
): string {
  const name = `${dialect.headerPrefix}content-sha256`;
  const value = headers.get(name) ?? bodySha256;
  if (value !== undefined) return value;
  throw new StorageError(
    'InvalidRequest',
    `read headers: ${name} is missing; send the body's SHA-256 in hex, or UNSIGNED-PAYLOAD`,
    { details: { Header: name } },
  );
}

/**
 * Reads the vendor's date header, or the `Date` header if there is none. Throws AccessDenied if the date is missing or
 * invalid.
 */
function readDate({ headers, dialect }: ReceivedRequest) {
  const name = `${dialect.headerPrefix}date`;
  const timestamp = headers.get(name);
  const date = headers.get('date') ?? '';
  const signedAt = timestamp === undefined ? parseHttpDate(date) : parseTimestamp(timestamp);
  if (signedAt !== undefined) {
    return { signedAt, timestamp: timestamp ?? formatTimestamp(signedAt) };
  }
  throw new StorageError('AccessDenied', `read headers: a valid ${name} or Date is required`);
}
