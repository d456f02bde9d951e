/** Creates, configures and deletes buckets. */

import { principalId, projectId, type UserPrincipal } from '../../../base/principal.ts';
import { keptGrants } from '../../../object-store/rules/access/requested-acl.ts';
import { checkBucketCount } from '../../../object-store/rules/quota.ts';
import { StorageError } from '../../../object-store/storage-error.ts';
import { formatAcl } from '../../schema/acl-text.ts';
import type { BucketTarget, CommandContext, CreateBucket, PutVersioning } from './commands.ts';
import { namelessDenied } from '../../disk/refusals.ts';
import type { BucketRow } from '../../schema/rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { keptBucketAcl } from './kept-acl.ts';
import { usableBucket } from './put-version.ts';

export function createBucket(
  tables: WriteTables,
  request: CreateBucket,
  { caller, now }: CommandContext,
): void {
  const { bucket: name, objectLockEnabled } = request;
  const { principal } = caller;
  if (principal.kind !== 'user') throw namelessDenied('create bucket');
  const existing = tables.buckets.find(name);
  if (existing) return checkSame(existing, request, principal);
  const { quotas } = tables;
  checkBucketCount(quotas.countBuckets(principal), quotas.ofProject(principal), principal.project);
  const acl = request.acl && formatAcl(keptGrants(request.acl, { owner: principalId(principal) }));
  const objectLock = objectLockEnabled;
  tables.buckets.insert({ name, owner: principal, createdAt: now, objectLock, acl: acl ?? null });
}

/**
 * Throws `BucketAlreadyExists` if another project owns the bucket, and `BucketAlreadyOwnedByYou` if Object Lock or the
 * ACL differs from the request. Otherwise creating the bucket again succeeds, so that a retry succeeds (decision 2).
 */
function checkSame(
  existing: BucketRow,
  { bucket, objectLockEnabled, acl }: CreateBucket,
  principal: UserPrincipal,
): void {
  if (projectId(principal) !== projectId(existing)) {
    throw new StorageError(
      'BucketAlreadyExists',
      `create bucket ${bucket}: the name is not available`,
      {
        details: { BucketName: bucket },
      },
    );
  }
  const owned = (reason: string) =>
    new StorageError(
      'BucketAlreadyOwnedByYou',
      `create bucket ${bucket}: you already own this bucket, ${reason}`,
      { details: { BucketName: bucket } },
    );
  if ((existing.objectLock !== 0) !== objectLockEnabled) {
    const has = existing.objectLock === 0 ? 'without' : 'with';
    throw owned(`${has} Object Lock, which cannot be changed`);
  }
  if (acl !== undefined && keptBucketAcl(acl, existing) !== existing.acl) {
    throw owned('with another ACL; change it with PutBucketAcl');
  }
}

export function putVersioning(
  tables: WriteTables,
  { bucket: name, versioning }: PutVersioning,
  context: CommandContext,
): void {
  const bucket = usableBucket(tables, name, context, { action: 'PutBucketVersioning' });
  if (bucket.objectLock !== 0 && versioning !== 'Enabled') {
    throw new StorageError(
      'InvalidBucketState',
      `suspend versioning of ${name}: versioning cannot be suspended in a bucket with Object Lock`,
      { details: { BucketName: name } },
    );
  }
  tables.buckets.setVersioning(bucket.bucketId, versioning);
}

export function deleteBucket(
  tables: WriteTables,
  { bucket: name }: BucketTarget,
  context: CommandContext,
): void {
  const bucket = usableBucket(tables, name, context, { action: 'DeleteBucket' });
  const { bucketId } = bucket;
  if (tables.buckets.hasVersions(bucketId)) {
    throw new StorageError(
      'BucketNotEmpty',
      `delete bucket ${name}: You must delete all versions in the bucket.`,
      { details: { BucketName: name } },
    );
  }
  for (const sequence of tables.uploads.sequencesOf(bucketId)) {
    for (const blobId of tables.uploads.remove(sequence)) tables.blobs.releaseBlob(blobId);
  }
  tables.buckets.remove(bucketId);
}
