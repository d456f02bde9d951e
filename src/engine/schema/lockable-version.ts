/**
 * Finds the version whose locks are read or set (semantics B.3, B.4). The main thread and the writer thread both use
 * this code, so they throw the same errors.
 */

import type { ObjectRef } from '../../object-store/object-store.ts';
import { checkLockBucket } from '../../object-store/rules/locks.ts';
import type { BucketRow, VersionRow } from './rows.ts';
import type { VersionFinder } from './version-finder.ts';
import { existingVersion, findVersion } from './version-lookup.ts';

/**
 * Returns the version whose locks are read or set. Throws `InvalidRequest` if the bucket has no Object Lock,
 * `NoSuchKey` or `NoSuchVersion` if the version does not exist, and `MethodNotAllowed` for a delete marker.
 */
export function lockableVersion(
  versions: VersionFinder,
  { bucketId, objectLock }: BucketRow,
  ref: Pick<ObjectRef, 'key' | 'versionId'>,
): VersionRow {
  checkLockBucket({ objectLockEnabled: objectLock !== 0 });
  return existingVersion('lock', ref, findVersion(versions, bucketId, ref));
}
