import { Headers } from '../../src/protocol/headers.ts';
import type { Dialects } from '../../src/protocol/header-families.ts';
import { receivedRequest, type ReceivedRequest } from '../../src/protocol/received-request.ts';
import type { WireRequest } from '../../src/protocol/wire.ts';

/** Converts a request of a client to the form in which the service receives it. */
export function received(request: WireRequest, dialects: Dialects): ReceivedRequest {
  return receivedRequest({ ...request, headers: new Headers(request.headers) }, dialects);
}
