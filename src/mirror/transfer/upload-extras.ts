/** Stores extended attributes that are too large for metadata in a separate object whose key contains their digest. */

import { defined } from '../../base/defined.ts';
import { bytesBody } from '../../object-store/body.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { attributesKey, fitsMetadata } from '../objects/object-metadata.ts';
import type { ExtraAttributes } from '../local/extra-attributes.ts';
import type { Destination } from '../objects/destination.ts';

/**
 * Stores the attributes before the object that refers to them. If a lock is requested, they are always written again,
 * because the earlier version's lock may end sooner.
 */
export async function storeExtras(
  { store, bucket, prefix }: Destination,
  { xattrs }: ExtraAttributes,
  { lock, signal }: { readonly lock?: LockRequest | undefined; readonly signal: AbortSignal },
): Promise<void> {
  if (!xattrs || fitsMetadata(xattrs)) return;
  const key = prefix + attributesKey(xattrs.digest);
  const attributes = { contentType: 'application/json' };
  const conditions = lock ? undefined : ({ ifNoneMatch: '*' } as const);
  const request = { bucket, key, attributes, body: bytesBody(xattrs.text) };
  try {
    await store.putObject({ ...request, ...defined({ lock, conditions }) }, { signal });
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed')) throw error;
  }
}
