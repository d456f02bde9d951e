/**
 * `expected-bucket-owner`: a client that wants to be sure whose bucket it is talking to. The owner is what listings tell
 * as its ID. A bucket that is deleted and made by somebody else between this check and a write goes unnoticed.
 */

import type { BucketAdmin } from '../object-store/buckets.ts';
import type { CallOptions, ObjectRef } from '../object-store/object-store.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { headerValue } from '../protocol/wire.ts';
import type { RequestHead } from './request-head.ts';

/** Throws AccessDenied where the owner is another one, and what the store says of a bucket that it does not show. */
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
    const expected = headerValue(unified, dialect.headerPrefix + suffix);
    if (expected === undefined || bucket === undefined) continue;
    const { owner } = await store.headBucket({ bucket }, options);
    if (owner === expected) continue;
    throw new StorageError(
      'AccessDenied',
      `check owner: ${bucket} belongs to somebody else than ${suffix} says`,
    );
  }
}
