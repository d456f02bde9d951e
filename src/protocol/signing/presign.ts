/** Creates presigned URLs. A presigned URL contains its signature in the query (semantics B.11.2). */

import { StorageError } from '../../object-store/storage-error.ts';
import { formatQuery } from '../paths.ts';
import type { WireQuery } from '../wire.ts';
import { allHeaders, canonicalRequest } from './canonical-request.ts';
import { formatScope } from './credential-scope.ts';
import { UNSIGNED_PAYLOAD } from './payload-mode.ts';
import { MAX_EXPIRES_SECONDS } from './presigned.ts';
import type { SignOptions } from './sign-request.ts';
import { signatureOf, stringToSign } from './string-to-sign.ts';
import { dayOf, formatTimestamp } from './timestamp.ts';

export interface PresignedRequest {
  readonly method: 'GET' | 'PUT';
  /** The scheme, host and port, such as `http://localhost:9010`. The signature covers the host and port. */
  readonly origin: string;
  /** The percent-encoded path, with a leading slash. */
  readonly path: string;
  readonly query: WireQuery;
  /** How long the URL is valid, from 1 to 604,800 seconds (seven days). */
  readonly expiresSeconds: number;
}

/**
 * Returns the presigned URL. The signature covers only the host header, so the service rejects a request that adds a
 * vendor header. Throws InvalidArgument if `expiresSeconds` is invalid.
 */
export function presign(
  request: PresignedRequest,
  options: Omit<SignOptions, 'payloadHash'>,
): string {
  const { method, origin, path, expiresSeconds } = request;
  const { dialect, region, credentials, keys, now } = options;
  checkExpires(expiresSeconds);
  const timestamp = formatTimestamp(now);
  const { service, terminator, queryPrefix } = dialect;
  const scope = { date: dayOf(timestamp), region, service, terminator };
  const signed: readonly (readonly [string, string])[] = [
    ['Algorithm', dialect.algorithm],
    ['Credential', `${credentials.accessKeyId}/${formatScope(scope)}`],
    ['Date', timestamp],
    ['Expires', String(expiresSeconds)],
    ['SignedHeaders', 'host'],
    ...(credentials.sessionToken === undefined
      ? []
      : [['Security-Token', credentials.sessionToken] as const]),
  ];
  const query: WireQuery = [
    ...request.query,
    ...signed.map(([name, value]) => [queryPrefix + name, value] as const),
  ];
  const signedHeaders = allHeaders([['host', new URL(origin).host]]);
  const canonical = canonicalRequest({ method, path, query }, signedHeaders, UNSIGNED_PAYLOAD);
  const signingKey = keys.keyFor(credentials, scope, dialect);
  const text = stringToSign({ dialect, timestamp, scope: formatScope(scope) }, canonical);
  const signature = [`${queryPrefix}Signature`, signatureOf(signingKey, text)] as const;
  return `${origin}${path}?${formatQuery([...query, signature])}`;
}

function checkExpires(expiresSeconds: number): void {
  const isWhole = Number.isInteger(expiresSeconds);
  if (isWhole && expiresSeconds >= 1 && expiresSeconds <= MAX_EXPIRES_SECONDS) return;
  throw new StorageError(
    'InvalidArgument',
    `presign URL: it can be valid for 1 to ${MAX_EXPIRES_SECONDS} seconds (seven days), not for ${expiresSeconds}`,
  );
}
