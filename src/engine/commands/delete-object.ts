/** Deletes: a delete marker where versioning wants one, or a version for good unless it is locked. */

import type { DeleteObjectResult } from '../../object-store/object-store.ts';
import { checkVersionOwner } from '../../object-store/rules/access.ts';
import { refuseRemoval } from '../../object-store/rules/locks.ts';
import { deleteStep } from '../../object-store/rules/versioning.ts';
import type { CommandContext, DeleteObject } from '../commands.ts';
import { type BucketRow, storedLocks } from '../rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { checkVersionId } from '../version-lookup.ts';
import { addVersion, checkCurrent, ownerOf, usableBucket } from './put-version.ts';
import { lockColumns, unlockContext } from './version-locks.ts';

export function deleteObject(
  tables: WriteTables,
  request: DeleteObject,
  context: CommandContext,
): DeleteObjectResult {
  const bucket = usableBucket(tables, request.bucket, context);
  if (request.versionId === undefined) return deleteCurrent(tables, bucket, request, context);
  return removeVersion(tables, bucket, { ...request, versionId: request.versionId }, context);
}

/** Of a delete marker. */
const NO_CONTENT = {
  blobId: null,
  manifestId: null,
  sizeBytes: 0,
  etag: '',
  attributes: null,
  checksum: null,
};

function deleteCurrent(
  tables: WriteTables,
  bucket: BucketRow,
  { key, conditions }: DeleteObject,
  context: CommandContext,
): DeleteObjectResult {
  checkCurrent(conditions, tables.versions.find.latest(bucket.bucketId, key));
  const step = deleteStep(bucket.versioning ?? undefined);
  const placement = { bucket, key, context };
  const content = { ...NO_CONTENT, ...lockColumns(undefined), owner: ownerOf(context) };
  const versionId = addVersion(tables, placement, { ...content, step });
  return step.adds === 'nothing' ? { deleteMarker: false } : { deleteMarker: true, versionId };
}

/** A version that does not exist is removed already. */
function removeVersion(
  tables: WriteTables,
  bucket: BucketRow,
  request: DeleteObject & { readonly versionId: string },
  context: CommandContext,
): DeleteObjectResult {
  const { key, versionId, conditions, bypassGovernance } = request;
  checkVersionId(versionId);
  const { bucketId } = bucket;
  const row = tables.versions.find.byId(bucketId, key, versionId);
  checkCurrent(conditions, row);
  if (!row) return { deleteMarker: false, versionId };
  checkVersionOwner(context.principal, bucket, row.owner);
  refuseRemoval(storedLocks(row), unlockContext(context, bypassGovernance));
  tables.versions.remove(bucketId, key, row);
  tables.blobs.release(row);
  return { deleteMarker: row.isDeleteMarker !== 0, versionId };
}
