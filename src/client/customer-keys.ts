/** A customer's key leaves this machine only where nobody on the way can read it. */

import type { CustomerKey } from '../object-store/customer-key.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { hostOf, isLoopback } from './proxy.ts';

interface WithKeys {
  readonly customerKey?: CustomerKey;
  readonly sourceCustomerKey?: CustomerKey;
}

/** What throws `InvalidRequest`, before anything is sent, where a key must not go to `origin`. */
export function customerKeyGuard(origin: string): (input: object) => void {
  const url = new URL(origin);
  const isPrivate = url.protocol === 'https:' || isLoopback(hostOf(url));
  return (input) => {
    const { customerKey, sourceCustomerKey }: WithKeys = input;
    if (isPrivate || (customerKey === undefined && sourceCustomerKey === undefined)) return;
    throw new StorageError(
      'InvalidRequest',
      `send customer key: ${origin} is reached in clear, where others could read it; use its https address`,
    );
  };
}
