/**
 * Reads the bucket settings that affect retention: the default retention, and lifecycle rules that delete objects of
 * the job.
 */

import type { LifecycleRule } from '../object-store/lifecycle.ts';
import type { DefaultRetention } from '../object-store/locks.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { type Destination, readBucketKind } from '../mirror/objects/destination.ts';
import type { BucketKind } from '../mirror/model/types.ts';

export interface BucketLocks {
  readonly kind: BucketKind;
  readonly defaultRetention?: DefaultRetention;
  /** Messages for the user about bucket settings that conflict with the job. */
  readonly warnings: readonly string[];
}

export async function readBucketLocks(
  destination: Destination,
  signal: AbortSignal,
): Promise<BucketLocks> {
  const { store, bucket } = destination;
  const kind = await readBucketKind(destination, signal);
  const warnings = (await readRules(destination, signal))
    .filter((rule) => applies(rule, destination))
    .flatMap((rule) => warningsOf(rule, bucket));
  if (kind !== 'object-lock') return { kind, warnings };
  const { defaultRetention } = await store.getObjectLockConfiguration({ bucket }, { signal });
  return { kind, warnings, ...(defaultRetention && { defaultRetention }) };
}

/**
 * Returns the bucket's lifecycle rules. Returns no rules if the access key has no permission to read them, because a
 * job does not need that permission.
 */
async function readRules(
  { store, bucket }: Destination,
  signal: AbortSignal,
): Promise<readonly LifecycleRule[]> {
  try {
    return await store.getLifecycle({ bucket }, { signal });
  } catch (error) {
    if (isStorageError(error, 'NoSuchLifecycleConfiguration', 'AccessDenied', 'NotImplemented'))
      return [];
    throw error;
  }
}

/**
 * Returns whether an enabled rule overlaps the destination's prefix. Ignores tag and size filters, because a rule that
 * deletes only some of the objects also needs a warning.
 */
function applies(
  { enabled, filter: { prefix = '' } }: LifecycleRule,
  destination: Destination,
): boolean {
  return (
    enabled && (prefix.startsWith(destination.prefix) || destination.prefix.startsWith(prefix))
  );
}

function warningsOf(
  { id, expiration, noncurrentExpiration }: LifecycleRule,
  bucket: string,
): readonly string[] {
  const rule = `lifecycle rule ${id} of bucket ${bucket}`;
  const warnings: string[] = [];
  if (expiration && !('expiredDeleteMarker' in expiration)) {
    const when =
      'days' in expiration
        ? `after ${expiration.days} days`
        : `on ${new Date(expiration.date).toISOString().slice(0, 10)}`;
    warnings.push(`${rule} deletes objects of this job ${when}, even if their files still exist`);
  }
  if (noncurrentExpiration) {
    const { days } = noncurrentExpiration;
    warnings.push(
      `${rule} removes earlier versions of this job's objects ${days} days after they become noncurrent, unless a lock retains them`,
    );
  }
  return warnings;
}
