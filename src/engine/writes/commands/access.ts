/** Sets the ACLs of buckets and objects, bucket policies, and public access blocks. */

import { defined } from '../../../base/defined.ts';
import type { Action } from '../../../object-store/action.ts';
import { parsePolicy } from '../../../object-store/rules/access/parse-policy.ts';
import { StorageError } from '../../../object-store/storage-error.ts';
import { allow } from '../../access/access.ts';
import { RowAccess } from '../../access/bucket-access.ts';
import type {
  CommandContext,
  PutBucketAcl,
  PutBucketPolicy,
  PutObjectAcl,
  PutPublicAccessBlock,
} from './commands.ts';
import { countPolicyReading } from '../../access/policy-meter.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { existingVersion, findVersion } from '../../schema/version-lookup.ts';
import { askedOfAcl } from '../../access/write-access.ts';
import { keptAcl, keptBucketAcl } from './kept-acl.ts';
import { existingBucket, usableBucket } from './put-version.ts';

export function putBucketAcl(
  tables: WriteTables,
  { bucket: name, acl }: PutBucketAcl,
  context: CommandContext,
): void {
  const asked = () => askedOfAcl(acl);
  const bucket = usableBucket(tables, name, context, { action: 'PutBucketAcl', asked });
  tables.buckets.setAcl(bucket.bucketId, keptBucketAcl(acl, bucket));
}

export function putObjectAcl(
  tables: WriteTables,
  { acl, ...ref }: PutObjectAcl,
  { caller }: CommandContext,
): void {
  const bucket = existingBucket(tables, ref.bucket);
  const { key, versionId } = ref;
  const version = findVersion(tables.versions.find, bucket.bucketId, ref);
  const action: Action = versionId === undefined ? 'PutObjectAcl' : 'PutObjectVersionAcl';
  const asked = () => defined({ ...askedOfAcl(acl), 's3:versionid': versionId });
  allow(caller, bucket, { action, key, version, asked });
  const row = existingVersion('set access of', ref, version);
  tables.versions.setAcl(bucket.bucketId, key, row, keptAcl(acl, bucket, row.owner));
}

/**
 * Sets or removes a bucket's policy. Throws `MalformedPolicy`, or `AccessDenied` for a public policy while the bucket
 * blocks public policies.
 */
export function putBucketPolicy(
  tables: WriteTables,
  { bucket: name, policy }: PutBucketPolicy,
  context: CommandContext,
): void {
  const action: Action = policy === undefined ? 'DeleteBucketPolicy' : 'PutBucketPolicy';
  const bucket = usableBucket(tables, name, context, { action });
  if (policy !== undefined) countPolicyReading(policy);
  const isPublic = policy !== undefined && parsePolicy(policy, name).isPublic;
  if (isPublic && new RowAccess(bucket).publicAccessBlock?.blockPublicPolicy) {
    throw new StorageError(
      'AccessDenied',
      "put policy: the bucket's public access block rejects public policies",
    );
  }
  tables.buckets.setPolicy(bucket.bucketId, policy ?? null);
}

export function putPublicAccessBlock(
  tables: WriteTables,
  { bucket: name, block }: PutPublicAccessBlock,
  context: CommandContext,
): void {
  const { bucketId } = usableBucket(tables, name, context, {
    action: 'PutBucketPublicAccessBlock',
  });
  const text = block === undefined ? null : JSON.stringify(block);
  tables.buckets.setPublicAccessBlock(bucketId, text);
}
