/** Sets the default retention of buckets, and retention and legal hold of versions that are there. */

import { checkDefaultRetention } from '../../object-store/rules/default-retention.ts';
import { checkLegalHoldRight, refuseRetentionChange } from '../../object-store/rules/locks.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type {
  CommandContext,
  PutLegalHold,
  PutLockConfiguration,
  PutRetention,
} from '../commands.ts';
import { lockableVersion } from '../lockable-version.ts';
import { storedLocks } from '../rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { usableBucket } from './put-version.ts';
import { checkLock, unlockContext } from './version-locks.ts';

export function putLockConfiguration(
  tables: WriteTables,
  { bucket: name, defaultRetention }: PutLockConfiguration,
  context: CommandContext,
): void {
  const bucket = usableBucket(tables, name, context, {
    action: 'PutBucketObjectLockConfiguration',
  });
  if (bucket.objectLock === 0) {
    throw new StorageError(
      'InvalidBucketState',
      `set default retention of ${name}: the bucket was created without object lock, which cannot be added`,
      { details: { BucketName: name } },
    );
  }
  if (defaultRetention !== undefined) checkDefaultRetention(defaultRetention);
  tables.buckets.setDefaultRetention(bucket.bucketId, defaultRetention);
}

export function putRetention(
  tables: WriteTables,
  { retention, bypassGovernance, ...ref }: PutRetention,
  context: CommandContext,
): void {
  const bucket = usableBucket(tables, ref.bucket, context, {
    action: 'PutObjectRetention',
    key: ref.key,
  });
  const row = lockableVersion(tables.versions.find, bucket, ref);
  checkLock({ retention }, bucket, context);
  const stored = storedLocks(row).retention;
  refuseRetentionChange(stored, retention, unlockContext(context, bypassGovernance));
  tables.versions.setRetention(bucket.bucketId, ref.key, row, retention);
}

export function putLegalHold(
  tables: WriteTables,
  { legalHold, ...ref }: PutLegalHold,
  context: CommandContext,
): void {
  const bucket = usableBucket(tables, ref.bucket, context, {
    action: 'PutObjectLegalHold',
    key: ref.key,
  });
  const row = lockableVersion(tables.versions.find, bucket, ref);
  checkLegalHoldRight(unlockContext(context, false));
  tables.versions.setLegalHold(bucket.bucketId, ref.key, row, legalHold);
}
