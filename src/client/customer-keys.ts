/**
 * Prevents customer-provided encryption keys (SSE-C) from being sent over unencrypted connections.
 */

import type { CustomerKey } from '../object-store/customer-key.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { hostOf, isLoopback } from './proxy.ts';

interface WithKeys {
  readonly customerKey?: CustomerKey;
  readonly sourceCustomerKey?: CustomerKey;
}

/**
 * Returns a function that throws `InvalidRequest` if its input contains a customer-provided key and
 * `origin` is neither https nor a loopback address. The caller must call it before it sends
 * anything.
 */
export function customerKeyGuard(origin: string): (input: object) => void {
  const url = new URL(origin);
  const isPrivate = url.protocol === 'https:' || isLoopback(hostOf(url));
  return (input) => {
    const { customerKey, sourceCustomerKey }: WithKeys = input;
    if (isPrivate || (customerKey === undefined && sourceCustomerKey === undefined)) return;
    throw new StorageError(
      'InvalidRequest',
      `cannot send the customer key: the connection to ${origin} is not encrypted; use its https URL`,
    );
  };
}
