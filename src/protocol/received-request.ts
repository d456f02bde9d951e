/** Defines the form of a request as the server received it, before its signature is verified. */

import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from './dialect.ts';
import { type Dialects, readDialect } from './header-families.ts';
import type { Headers } from './headers.ts';
import type { WireRequest } from './wire.ts';

export interface ReceivedRequest extends Omit<WireRequest, 'headers'> {
  /** The headers as sent, with the prefix of either header family. */
  readonly headers: Headers;
  readonly dialect: Dialect;
}

/**
 * Detects the dialect of a request and returns the request with it. Throws InvalidRequest if a header that
 * must be unique is repeated.
 */
export function receivedRequest(
  request: Omit<ReceivedRequest, 'dialect'>,
  dialects: Dialects,
): ReceivedRequest {
  refuseRepeated(request.headers);
  const { method, path, query, headers } = request;
  return { method, path, query, headers, dialect: readDialect(request, dialects) };
}

/**
 * Matches the headers that must be unique, because two readers could use different values of a repeated
 * header (security E.1, 4).
 */
const ONCE =
  /^(?:authorization|content-length|content-md5|date|host|x-[a-z]+-(?:content-sha256|copy-source|date|decoded-content-length|trailer))$/;

function refuseRepeated({ repeated }: Headers): void {
  const name = repeated.find((each) => ONCE.test(each));
  if (name === undefined) return;
  throw new StorageError('InvalidRequest', `read headers: ${name} must not be present twice`, {
    details: { Header: name },
  });
}
