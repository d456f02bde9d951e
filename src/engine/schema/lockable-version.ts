/** Finds the version whose locks are read or set (semantics B.3, B.4), with the same errors on both threads. */

import type { ObjectRef } from '../../object-store/object-store.ts';
import { checkLockBucket } from '../../object-store/rules/locks.ts';
import type { BucketRow, VersionRow } from './rows.ts';
import type { VersionFinder } from './version-finder.ts';
import { existingVersion, findVersion } from './version-lookup.ts';

/**
 * Returns the version. Throws `InvalidRequest` in a bucket without Object Lock, `NoSuchKey`, `NoSuchVersion`, and
 * `MethodNotAllowed` for a delete marker, current or not.
 */
export function lockableVersion(
  versions: VersionFinder,
  { bucketId, objectLock }: BucketRow,
  ref: Pick<ObjectRef, 'key' | 'versionId'>,
): VersionRow {
  checkLockBucket({ objectLockEnabled: objectLock !== 0 });
  return existingVersion('lock', ref, findVersion(versions, bucketId, ref));
}
