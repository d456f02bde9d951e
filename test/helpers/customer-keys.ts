/** SSE-C customer keys for tests. The same name always gives the same key. */

import { createHash } from 'node:crypto';

import { CustomerKey } from '../../src/object-store/customer-key.ts';

/** Returns the 32 bytes of the customer key with this name. */
export function customerKeyBytes(name: string): Buffer {
  return createHash('sha256').update(`customer key ${name}`).digest();
}

export function customerKey(name: string): CustomerKey {
  const key = CustomerKey.take(customerKeyBytes(name));
  if (key === undefined) throw new Error('create a customer key: a key has 32 bytes');
  return key;
}

/** Returns the base64 MD5 of the customer key, in the form in which S3 responses contain it. */
export function customerKeyMd5(name: string): string {
  return createHash('md5').update(customerKeyBytes(name)).digest('base64');
}

/**
 * Returns the three SSE-C headers of a request, with the prefix `x-*-`. The prefix `copy-source-`
 * gives the headers for the source of a copy.
 */
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
