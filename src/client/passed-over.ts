/**
 * What a service that does not know it passes over instead of refusing it, as a Ceph RGW 16 does. Its answer is one to
 * another question, and nobody is to take it for what was asked for.
 */

import { discard } from '../object-store/body.ts';
import type { CustomerEncryption, CustomerKey } from '../object-store/customer-key.ts';
import type { ObjectHead } from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import { headerValue } from '../protocol/wire.ts';
import type { Call } from './call.ts';
import type { IncomingResponse } from './exchange.ts';

/** A question about an object was answered with the object itself: only that one's answer has its ETag in the head. */
export async function refuseObjectItself(
  { name, request, target }: Call,
  { headers, body }: IncomingResponse,
): Promise<void> {
  if (request.method !== 'GET' || target.key === undefined) return;
  if (headerValue(headers, 'etag') === undefined) return;
  await discard(body);
  throw unknownToService(name, 'the object itself');
}

/** What came must be the part that was asked for; the whole is it only where there are no parts. Gives up `body`. */
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
    `${question}: the service does not know it, and answers with ${answer}`,
  );
}

/** A write with a customer's key must be answered with the key's digest; else it may lie there in plain. */
export function refusePlain(
  name: string,
  { customerKey }: { readonly customerKey?: CustomerKey },
  { encryption }: { readonly encryption?: CustomerEncryption },
): void {
  if (customerKey === undefined || encryption?.keyMd5 === customerKey.md5) return;
  throw new TransportError(
    'BadResponse',
    `${name}: the service does not say that it encrypted it with the key, so it may lie there in plain; look, and remove it`,
    { sent: true },
  );
}
