/** SSE-C customer keys for tests. A name always gives the same key. */

import { createHash } from 'node:crypto';

import { CustomerKey } from '../../src/object-store/customer-key.ts';

/** Returns the 32 bytes of the key with this name. */
export function customerKeyBytes(name: string): Buffer {
  return createHash('sha256').update(`customer key ${name}`).digest();
}

export function customerKey(name: string): CustomerKey {
  const key = CustomerKey.take(customerKeyBytes(name));
  if (key === undefined) throw new Error('make key: it has 32 bytes');
  return key;
}

/** Returns the MD5 of the key in base64, as responses return it. */
export function customerKeyMd5(name: string): string {
  return createHash('md5').update(customerKeyBytes(name)).digest('base64');
}

/**
 * Returns the three SSE-C headers with the prefix `x-*-`. With `copy-source-`, they are those for the source of a
 * copy.
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
