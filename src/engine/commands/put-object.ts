/** Puts an object: the row that makes its bytes visible. */

import type { PutObjectResult } from '../../object-store/object-store.ts';
import { checkLockRequest } from '../../object-store/rules/locks.ts';
import type { CommandContext, PutObject } from '../commands.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { checkCurrent, lockColumns, ownerOf, putVersion, usableBucket } from './put-version.ts';

export function putObject(
  tables: WriteTables,
  request: PutObject,
  context: CommandContext,
): PutObjectResult {
  const bucket = usableBucket(tables, request.bucket, context);
  const objectLockEnabled = bucket.objectLock !== 0;
  checkLockRequest(request.lock, { objectLockEnabled, now: context.now });
  checkCurrent(request.conditions, tables.versions.find.latest(bucket.bucketId, request.key));
  const { blobId, sizeBytes, etag } = tables.blobs.insert(request.content);
  return putVersion(tables, bucket, request.key, {
    blobId,
    manifestId: null,
    sizeBytes,
    etag,
    lastModifiedAt: context.now,
    ...lockColumns(request.lock),
    owner: ownerOf(context),
    attributes: request.attributes ?? null,
  });
}
