/** Sets the quotas of a project or a bucket for the store's administrator. Does not check a caller's permissions. */

import type { PutBucketQuota, PutProjectQuota } from './commands.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { existingBucket } from './put-version.ts';

export function putBucketQuota(tables: WriteTables, { bucket, quota }: PutBucketQuota): void {
  tables.quotas.putBucket(existingBucket(tables, bucket).bucketId, quota);
}

export function putProjectQuota(
  tables: WriteTables,
  { buckets, ...project }: PutProjectQuota,
): void {
  tables.quotas.putProject(project, buckets);
}
