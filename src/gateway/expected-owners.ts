/**
 * Checks the header `expected-bucket-owner`, in which a client states the owner that the bucket must have. The header's
 * value is the owner ID that listings contain. If the bucket is deleted and created again by another user between this
 * check and a write, the write still succeeds.
 */

import type { BucketAdmin } from '../object-store/buckets.ts';
import type { CallOptions, ObjectRef } from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import type { RequestHead } from './request-head.ts';

/**
 * Throws AccessDenied if the bucket, or the source bucket of a copy, does not have the stated
 * owner. Throws the store's error for a bucket that the caller cannot access.
 */
export async function checkExpectedOwners(
  { unified, dialect, target }: RequestHead,
  input: object,
  store: Pick<BucketAdmin, 'headBucket'>,
  options: CallOptions,
): Promise<void> {
  const source = 'source' in input ? (input.source as ObjectRef) : undefined;
  const asked = [
    ['expected-bucket-owner', target.bucket],
    ['source-expected-bucket-owner', source?.bucket],
  ] as const;
  for (const [suffix, bucket] of asked) {
    const expected = unified.get(dialect.headerPrefix + suffix);
    if (expected === undefined || bucket === undefined) continue;
    const { owner } = await store.headBucket({ bucket }, options);
    if (owner === expected) continue;
    throw new StorageError(
      'AccessDenied',
      `check owner: ${bucket} does not belong to the owner in ${suffix}`,
    );
  }
}
