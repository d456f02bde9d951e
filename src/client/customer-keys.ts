/** A customer's key leaves this machine only where nobody on the way can read it. */

import type { CustomerKey } from '../object-store/customer-key.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { hostOf, isLoopback } from './proxy.ts';

interface WithKeys {
  readonly customerKey?: CustomerKey;
  readonly sourceCustomerKey?: CustomerKey;
}

/** Throws `InvalidRequest` before anything is sent. */
export function guardCustomerKeys(origin: string, input: object): void {
  const { customerKey, sourceCustomerKey }: WithKeys = input;
  if (customerKey === undefined && sourceCustomerKey === undefined) return;
  const url = new URL(origin);
  if (url.protocol === 'https:' || isLoopback(hostOf(url))) return;
  throw new StorageError(
    'InvalidRequest',
    `send customer key: ${origin} is reached in clear, where others could read it; use its https address`,
  );
}
