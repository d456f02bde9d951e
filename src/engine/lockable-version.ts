/** The version whose locks are told or set (semantics B.3, B.4): on both threads, with the same refusals. */

import type { ObjectRef } from '../object-store/object-store.ts';
import { checkLockBucket } from '../object-store/rules/locks.ts';
import { noSuchKey, noSuchVersion, ofDeleteMarker } from './refusals.ts';
import type { BucketRow, VersionRow } from './rows.ts';
import type { VersionFinder } from './version-finder.ts';
import { checkVersionId } from './version-lookup.ts';

/** Throws `InvalidRequest`, `NoSuchKey`, `NoSuchVersion`, and `MethodNotAllowed` for a delete marker, current or not. */
export function lockableVersion(
  versions: VersionFinder,
  { bucketId, objectLock }: BucketRow,
  { key, versionId }: Pick<ObjectRef, 'key' | 'versionId'>,
): VersionRow {
  checkLockBucket({ objectLockEnabled: objectLock !== 0 });
  checkVersionId(versionId);
  const row =
    versionId === undefined
      ? versions.latest(bucketId, key)
      : versions.byId(bucketId, key, versionId);
  if (!row) throw versionId === undefined ? noSuchKey(key) : noSuchVersion(key, versionId);
  if (row.isDeleteMarker !== 0) throw ofDeleteMarker('lock', key, row);
  return row;
}
