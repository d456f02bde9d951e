/** Implements the control method that changes the customer-provided key of an object. */

import { defined } from '../../../src/base/defined.ts';
import { CustomerKey } from '../../../src/object-store/customer-key.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import type { TargetHandlers } from './at-target.ts';

/**
 * Decodes the customer-provided key of a request. Returns undefined if the request has no key. Throws StorageError
 * `InvalidArgument` if the key is invalid.
 */
export function customerKeyOf(text: string | undefined): CustomerKey | undefined {
  if (text === undefined) return undefined;
  const key = CustomerKey.take(Buffer.from(text, 'base64'));
  if (key === undefined) throw new StorageError('InvalidArgument', 'invalid customer key');
  return key;
}

export function encryptionHandlers(): TargetHandlers<'objects.encrypt'> {
  return {
    'objects.encrypt': async ({ bucket, key, ...keys }, { signal, store }) => {
      const source = { bucket, key };
      const sourceCustomerKey = customerKeyOf(keys.sourceCustomerKey);
      const customerKey = customerKeyOf(keys.customerKey);
      const request = defined({ source, bucket, key, sourceCustomerKey, customerKey });
      const { etag, versionId, sourceVersionId } = await store.copyObject(request, { signal });
      const olderVersionId = sourceVersionId === versionId ? undefined : sourceVersionId;
      return defined({ etag, versionId, olderVersionId });
    },
  };
}
