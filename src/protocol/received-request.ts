/** A request as it arrived, before any of it is believed: signatures are verified against it. */

import { StorageError } from '../object-store/storage-error.ts';
import type { Dialect } from './dialect.ts';
import { type Dialects, readDialect } from './header-families.ts';
import type { Headers } from './headers.ts';
import type { WireRequest } from './wire.ts';

export interface ReceivedRequest extends Omit<WireRequest, 'headers'> {
  /** As they were sent, in either header family. */
  readonly headers: Headers;
  readonly dialect: Dialect;
}

/** Determines the dialect. Throws InvalidRequest for repeated headers that two readers could read differently. */
export function receivedRequest(
  request: Omit<ReceivedRequest, 'dialect'>,
  dialects: Dialects,
): ReceivedRequest {
  refuseRepeated(request.headers);
  const { method, path, query, headers } = request;
  return { method, path, query, headers, dialect: readDialect(request, dialects) };
}

/** Two readers could believe different values of these (security E.1, 4). */
const ONCE =
  /^(?:authorization|content-length|content-md5|date|host|x-[a-z]+-(?:content-sha256|copy-source|date|decoded-content-length|trailer))$/;

function refuseRepeated({ repeated }: Headers): void {
  const name = repeated.find((each) => ONCE.test(each));
  if (name === undefined) return;
  throw new StorageError('InvalidRequest', `read headers: ${name} is given twice`, {
    details: { Header: name },
  });
}
