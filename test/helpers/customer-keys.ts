/** Keys of customers for tests: the same for the same name. */

import { createHash } from 'node:crypto';

import { CustomerKey } from '../../src/object-store/customer-key.ts';

/** The bytes of the key with this name. */
export function customerKeyBytes(name: string): Buffer {
  return createHash('sha256').update(`customer key ${name}`).digest();
}

export function customerKey(name: string): CustomerKey {
  const key = CustomerKey.take(customerKeyBytes(name));
  if (key === undefined) throw new Error('make key: it has 32 bytes');
  return key;
}

/** What answers tell of it. */
export function customerKeyMd5(name: string): string {
  return createHash('md5').update(customerKeyBytes(name)).digest('base64');
}

/** The three headers, with the dialect's prefix as `x-*-`; `of` a copy's source with it. */
export function customerKeyHeaders(
  name: string,
  of: '' | 'copy-source-' = '',
): Readonly<Record<string, string>> {
  const prefix = `x-*-${of}server-side-encryption-customer-`;
  return {
    [`${prefix}algorithm`]: 'AES256',
    [`${prefix}key`]: customerKeyBytes(name).toString('base64'),
    [`${prefix}key-md5`]: customerKeyMd5(name),
  };
}
