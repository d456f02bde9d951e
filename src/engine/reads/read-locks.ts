/** Reads the stored locks of a version, and the default retention of its bucket. */

import type { Action } from '../../object-store/action.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { ObjectLockConfiguration } from '../../object-store/locks.ts';
import type { ObjectRef, Retention } from '../../object-store/object-store.ts';
import { checkKey } from '../../object-store/rules/naming.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { allow } from '../access/access.ts';
import { lockableVersion } from '../schema/lockable-version.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { lockConfiguration, shownLegalHold, shownRetention } from '../schema/object-info.ts';
import { existingBucket } from './read-object.ts';
import { type BucketRow, storedLocks, type VersionRow } from '../schema/rows.ts';
import { findVersion } from '../schema/version-lookup.ts';

export function readLockConfiguration(bucket: BucketRow): ObjectLockConfiguration {
  if (bucket.objectLock !== 0) return lockConfiguration(bucket);
  throw notSet(`read object lock of ${bucket.name}: the bucket was created without it`, {
    BucketName: bucket.name,
  });
}

/**
 * Returns the retention of a version. Throws `ObjectLockConfigurationNotFoundError` if the version has none. Throws
 * `InternalError` if the retention cannot be read; the version then counts as locked.
 */
export function readRetention(reader: MetadataReader, caller: Caller, ref: ObjectRef): Retention {
  const row = versionOf(reader, caller, { action: 'GetObjectRetention', ref });
  const retention = shownRetention(row);
  if (retention) return retention;
  if (storedLocks(row).retention !== undefined) {
    throw new StorageError('InternalError', 'read retention: the store is damaged');
  }
  throw notSet(`read retention of ${JSON.stringify(ref.key)}: the version has no retention`, {
    Key: ref.key,
  });
}

export function readLegalHold(reader: MetadataReader, caller: Caller, ref: ObjectRef): boolean {
  const legalHold = shownLegalHold(
    versionOf(reader, caller, { action: 'GetObjectLegalHold', ref }),
  );
  if (legalHold !== undefined) return legalHold;
  throw notSet(`read legal hold of ${JSON.stringify(ref.key)}: it was not set on this version`, {
    Key: ref.key,
  });
}

function versionOf(
  reader: MetadataReader,
  caller: Caller,
  { action, ref }: { readonly action: Action; readonly ref: ObjectRef },
): VersionRow {
  const bucket = existingBucket(reader, ref.bucket);
  const { key, versionId } = ref;
  checkKey(key);
  const version = findVersion(reader.versions, bucket.bucketId, ref);
  allow(caller, bucket, { action, key, version, asked: () => ({ 's3:versionid': versionId }) });
  return lockableVersion(reader.versions, bucket, ref);
}

function notSet(message: string, details: Readonly<Record<string, string>>): StorageError {
  return new StorageError('ObjectLockConfigurationNotFoundError', message, { details });
}
