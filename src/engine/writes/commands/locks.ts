/** Sets the default retention of a bucket, and the retention and legal hold of existing versions. */

import type { LockRequest, ObjectRef } from '../../../object-store/object-store.ts';
import { checkDefaultRetention } from '../../../object-store/rules/default-retention.ts';
import {
  checkLegalHoldPermission,
  refuseRetentionChange,
} from '../../../object-store/rules/locks.ts';
import { StorageError } from '../../../object-store/storage-error.ts';
import type {
  CommandContext,
  PutLegalHold,
  PutLockConfiguration,
  PutRetention,
} from './commands.ts';
import { allow, isAllowed, type AuthorizationRequest } from '../../access/access.ts';
import { lockableVersion } from '../../schema/lockable-version.ts';
import { findVersion } from '../../schema/version-lookup.ts';
import { type BucketRow, storedLocks } from '../../schema/rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { askedOfLock } from '../../access/write-access.ts';
import { existingBucket, usableBucket } from './put-version.ts';
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
      `set default retention of ${name}: the bucket was created without Object Lock, which cannot be enabled later`,
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
  const { caller } = context;
  const bucket = existingBucket(tables, ref.bucket);
  const about = aboutVersion(tables, bucket, { ref, lock: { retention } }, context);
  allow(caller, bucket, { action: 'PutObjectRetention', ...about });
  const row = lockableVersion(tables.versions.find, bucket, ref);
  checkLock({ retention }, bucket, context);
  const bypasses =
    bypassGovernance &&
    isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about });
  const stored = storedLocks(row).retention;
  refuseRetentionChange(stored, retention, unlockContext(context, bucket, bypasses));
  tables.versions.setRetention(bucket.bucketId, ref.key, row, retention);
  tables.clockDoubts.keepRetention(row.sequence);
}

export function putLegalHold(
  tables: WriteTables,
  { legalHold, ...ref }: PutLegalHold,
  context: CommandContext,
): void {
  const bucket = existingBucket(tables, ref.bucket);
  const about = aboutVersion(tables, bucket, { ref, lock: { legalHold } }, context);
  allow(context.caller, bucket, { action: 'PutObjectLegalHold', ...about });
  const row = lockableVersion(tables.versions.find, bucket, ref);
  checkLegalHoldPermission(unlockContext(context, bucket, false));
  tables.versions.setLegalHold(bucket.bucketId, ref.key, row, legalHold);
}

/**
 * Returns the authorization request for changing the version's lock, with the condition values of the requested lock.
 */
function aboutVersion(
  tables: WriteTables,
  { bucketId }: BucketRow,
  { ref, lock }: { readonly ref: ObjectRef; readonly lock: LockRequest },
  { trustedNow }: CommandContext,
): Omit<AuthorizationRequest, 'action'> {
  const { key, versionId } = ref;
  const version = findVersion(tables.versions.find, bucketId, ref);
  const asked = () => ({ ...askedOfLock(lock, trustedNow), 's3:versionid': versionId });
  return { key, version, asked };
}
