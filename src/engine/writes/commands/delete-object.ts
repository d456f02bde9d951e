/**
 * Deletes objects. Adds a delete marker if the bucket has versioning, or permanently deletes a version unless it is
 * locked.
 */

import type { DeleteObjectResult } from '../../../object-store/object-store.ts';
import { checkDeleteConditions } from '../../../object-store/rules/conditions.ts';
import { refuseRemoval } from '../../../object-store/rules/locks.ts';
import { PolicyWork } from '../../../object-store/rules/access/policy-work.ts';
import { deleteStep } from '../../../object-store/rules/versioning.ts';
import { allow, isAllowed } from '../../access/access.ts';
import type { CommandContext, DeleteObject } from './commands.ts';
import { type BucketRow, storedLocks, type VersionRow } from '../../schema/rows.ts';
import type { WriteTables } from '../tables/write-tables.ts';
import { checkVersionId } from '../../schema/version-lookup.ts';
import {
  addVersion,
  existingBucket,
  type OwnedColumns,
  type Placement,
  statedColumns,
} from './put-version.ts';
import { lockColumns, unlockContext } from './version-locks.ts';

export function deleteObject(
  tables: WriteTables,
  request: DeleteObject,
  context: CommandContext,
): DeleteObjectResult {
  const bucket = existingBucket(tables, request.bucket);
  if (request.versionId === undefined) return deleteCurrent(tables, bucket, request, context);
  return removeVersion(tables, bucket, { ...request, versionId: request.versionId }, context);
}

/**
 * The maximum number of policy evaluation steps for one bulk delete: less than 10 ms of CPU time on the writer thread,
 * regardless of the number of keys.
 */
const BULK_DELETE_STEPS = 1_500_000;

/**
 * The step budget and the cache of each running bulk delete, by its ID. Other commands may run between the delete
 * commands of a bulk delete.
 */
const bulkWork = new Map<number, PolicyWork>();
const MAX_BULK_DELETES = 1024;

function workOf({ bulk }: DeleteObject): PolicyWork | undefined {
  if (bulk === undefined) return undefined;
  const known = bulkWork.get(bulk);
  if (known) return known;
  const [oldest] = bulkWork.keys();
  if (oldest !== undefined && bulkWork.size >= MAX_BULK_DELETES) bulkWork.delete(oldest);
  const work = new PolicyWork(BULK_DELETE_STEPS);
  bulkWork.set(bulk, work);
  return work;
}

/** The content columns of a delete marker. */
const NO_CONTENT = {
  blobId: null,
  manifestId: null,
  sizeBytes: 0,
  etag: '',
  checksum: null,
};

function deleteCurrent(
  tables: WriteTables,
  bucket: BucketRow,
  request: DeleteObject,
  context: CommandContext,
): DeleteObjectResult {
  const { key, conditions } = request;
  const work = workOf(request);
  const { find } = tables.versions;
  const latest = find.latest(bucket.bucketId, key);
  const mayDelete = (version: VersionRow | undefined) =>
    allow(context.caller, bucket, { action: 'DeleteObject', key, version, work });
  mayDelete(latest);
  // Check the null version too, because it is deleted permanently. It may be an older version that belongs to a
  // different user.
  if (bucket.versioning === 'Suspended') mayDelete(find.nullVersion(bucket.bucketId, key));
  checkDeleteConditions(conditions, existing(latest));
  const stated = statedColumns({}, bucket, context);
  return addDeleteMarker(tables, { bucket, key, context }, stated);
}

/**
 * Deletes a key according to the bucket's versioning: adds a delete marker, replaces the null version with a delete
 * marker, or deletes the object permanently.
 */
export function addDeleteMarker(
  tables: WriteTables,
  placement: Placement,
  stated: OwnedColumns,
): DeleteObjectResult {
  const step = deleteStep(placement.bucket.versioning ?? undefined);
  const content = { ...NO_CONTENT, ...lockColumns(undefined), ...stated };
  const versionId = addVersion(tables, placement, content, step);
  return step.adds === 'nothing' ? { deleteMarker: false } : { deleteMarker: true, versionId };
}

/**
 * Permanently deletes a version. Succeeds if the version does not exist. Throws `AccessDenied` for a locked version.
 */
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
  const { caller } = context;
  const asked = () => ({ 's3:versionid': versionId });
  const about = { key, version: row, asked, work: workOf(request) };
  allow(caller, bucket, { action: 'DeleteObjectVersion', ...about });
  checkDeleteConditions(conditions, existing(row));
  if (!row) return { deleteMarker: false, versionId };
  // The bypass header has no effect without the permission to bypass (MinIO CVE-2023-25812).
  const bypasses =
    bypassGovernance &&
    isAllowed(caller, bucket, { action: 'BypassGovernanceRetention', ...about });
  refuseRemoval(storedLocks(row), unlockContext(context, bucket, bypasses));
  tables.versions.remove(bucketId, key, row);
  tables.blobs.release(row);
  return { deleteMarker: row.isDeleteMarker !== 0, versionId };
}

/** Returns the version with which conditions are compared. A delete marker counts as absent. */
function existing(row: VersionRow | undefined): VersionRow | undefined {
  return row?.isDeleteMarker === 0 ? row : undefined;
}
