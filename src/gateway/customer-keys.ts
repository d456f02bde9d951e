/** Refuses customer keys (SSE-C) that are in a URL or that were sent over a network without TLS (semantics B.10). */

import type { Caller } from '../object-store/caller.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { CUSTOMER_KEY_NAMES } from '../protocol/operations/encryption.ts';
import { isLoopback } from './authenticate.ts';
import type { RequestHead } from './request-head.ts';

/**
 * Throws `InvalidRequest` for a customer key in the query. Also throws it for a customer key in the headers of a request
 * from another machine without TLS, unless `customerKeysOverHttp` allows that. Must be called before the key is parsed.
 */
export function guardCustomerKeys(
  { query, unified }: Pick<RequestHead, 'query' | 'unified'>,
  { secure, sourceIp }: Pick<Caller, 'secure' | 'sourceIp'>,
  { customerKeysOverHttp = false }: { readonly customerKeysOverHttp?: boolean | undefined },
): void {
  if (query.some(([name]) => name.toLowerCase().includes(CUSTOMER_KEY_NAMES))) {
    throw new StorageError(
      'InvalidRequest',
      'read customer key: it must be in headers, because URLs are stored in logs and histories',
    );
  }
  if (secure || customerKeysOverHttp || isLoopback(sourceIp)) return;
  if (!unified.list.some(([name]) => name.includes(CUSTOMER_KEY_NAMES))) return;
  throw new StorageError(
    'InvalidRequest',
    'Requests specifying Server Side Encryption with Customer provided keys must be made over a secure connection.',
  );
}
