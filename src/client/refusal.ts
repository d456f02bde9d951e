/**
 * Creates the error for an unsuccessful response from the service, or from a proxy in front of it.
 */

import { StorageError } from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import { parseHttpDate } from '../protocol/dates.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { decodeError } from '../protocol/error-document.ts';
import { ERROR_TABLE } from '../protocol/error-table.ts';
import { headerValue, type WireHeaders, type WireResponse } from '../protocol/wire.ts';
import type { CallTarget } from './call.ts';

export interface Refusal extends WireResponse {
  readonly body: string;
}

export interface RefusedCall {
  readonly dialect: Dialect;
  readonly target: CallTarget;
  /** The endpoint of the service, without credentials. */
  readonly endpoint: string;
  readonly isIdempotent: boolean;
}

export function refusalError(
  refusal: Refusal,
  { dialect, target, endpoint, isIdempotent }: RefusedCall,
): StorageError | TransportError {
  const { status, headers } = refusal;
  if (status < 400 && status !== 304) return redirected(refusal, endpoint);
  const error = named(decodeError(refusal, { dialect, target }), target);
  const isSpoken = refusal.body.includes('<Code>');
  // The response comes from a proxy in front of the service, so it is unknown whether the service
  // received the request.
  if ((status === 502 || status === 504) && !isSpoken && !isIdempotent) {
    return new TransportError(
      status === 504 ? 'Timeout' : 'ConnectionLost',
      `cannot use ${endpoint}: a proxy in front of it answered ${status}${serverName(headers)}`,
      { sent: true, cause: error },
    );
  }
  return error;
}

/**
 * Replaces NoSuchKey by NoSuchVersion if the request has a version ID. A HEAD response contains no
 * error code, and Ceph RGW uses the same code for both errors.
 */
function named(error: StorageError, { source, versionId = source?.versionId }: CallTarget) {
  if (versionId === undefined || error.code !== 'NoSuchKey') return error;
  const { text } = ERROR_TABLE.NoSuchVersion;
  return new StorageError('NoSuchVersion', text, { details: error.details });
}

/**
 * Returns the error for a redirect. Redirects are not followed, because the signature is valid for
 * only one host.
 */
function redirected({ status, headers, body }: Refusal, endpoint: string): TransportError {
  const region = /<Region>([^<]*)</.exec(body)?.[1];
  const place = headerValue(headers, 'location') ?? /<Endpoint>([^<]*)</.exec(body)?.[1];
  const hint =
    region === undefined
      ? 'set the endpoint to the one that serves the bucket'
      : `set the region to ${region}, and the endpoint to the one that serves it`;
  const where = place === undefined ? '' : ` to ${place}`;
  return new TransportError(
    'BadResponse',
    `cannot use ${endpoint}: it redirects${where} (${status}), which is not followed; ${hint}`,
    { sent: false },
  );
}

function serverName(headers: WireHeaders): string {
  const name = headerValue(headers, 'server');
  return name === undefined ? '' : ` (${name})`;
}

/**
 * Returns the milliseconds to wait according to the Retry-After header. The header contains seconds
 * or a date. Returns undefined if it is missing or invalid. `now` is the service's time in
 * milliseconds since 1970.
 */
export function retryAfterMs(headers: WireHeaders, now: number): number | undefined {
  const text = headerValue(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}
