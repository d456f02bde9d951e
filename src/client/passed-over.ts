/**
 * Detects that a service ignored a feature of a request instead of rejecting it, as Ceph RGW 16
 * does. The caller must not use the response, because it answers a different request.
 */

import { discard } from '../object-store/body.ts';
import type { CustomerEncryption, CustomerKey } from '../object-store/customer-key.ts';
import type { ObjectHead } from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import { headerValue } from '../protocol/wire.ts';
import type { Call } from './call.ts';
import type { IncomingResponse } from './exchange.ts';

/**
 * Throws NotImplemented if a service ignored the subresource of a GET request, such as `?acl`, and
 * returned the object itself. Only a response with the object has an ETag header.
 */
export async function refuseObjectItself(
  { name, request, target }: Call,
  { headers, body }: IncomingResponse,
): Promise<void> {
  if (request.method !== 'GET' || target.key === undefined) return;
  if (headerValue(headers, 'etag') === undefined) return;
  await discard(body);
  throw unknownToService(name, 'the object itself');
}

/**
 * Throws NotImplemented and closes `body` if a service ignored the requested part number and
 * returned the whole object.
 */
export async function refuseWhole(
  { partNumber }: { readonly partNumber?: number },
  { info, range, partsCount }: ObjectHead,
  body?: AsyncIterator<Uint8Array>,
): Promise<void> {
  if (partNumber === undefined || range !== undefined || partsCount !== undefined) return;
  const hasParts = /-\d+$/.test(info.etag);
  if (partNumber === 1 && !hasParts) return;
  await body?.return?.();
  throw unknownToService('read part', 'the whole object');
}

function unknownToService(question: string, answer: string): StorageError {
  return new StorageError(
    'NotImplemented',
    `${question}: the service ignored this feature of the request and returned ${answer}`,
  );
}

/**
 * Throws TransportError `BadResponse` if the response to a write with a customer-provided key does
 * not contain the digest of that key. The stored object may be unencrypted.
 */
export function refusePlain(
  name: string,
  { customerKey }: { readonly customerKey?: CustomerKey },
  { encryption }: { readonly encryption?: CustomerEncryption },
): void {
  if (customerKey === undefined || encryption?.keyMd5 === customerKey.md5) return;
  throw new TransportError(
    'BadResponse',
    `${name}: the service did not confirm the encryption with your key, so the object may be unencrypted; check it, and delete it if it is`,
    { sent: true },
  );
}
