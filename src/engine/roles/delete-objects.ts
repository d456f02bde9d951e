/**
 * Deletes many objects in one call. Queues all delete commands in the same turn of the event loop, so that the writer
 * commits them in few groups.
 */

import { defined } from '../../base/defined.ts';
import type {
  DeletedObject,
  DeleteObjectsRequest,
  DeleteObjectsResult,
  FailedDeletion,
  ObjectToDelete,
} from '../../object-store/bulk-delete.ts';
import type { DeleteObjectRequest, DeleteObjectResult } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';

type Outcome = { readonly deleted: DeletedObject } | { readonly failed: FailedDeletion };

let bulkDeletes = 0;

/**
 * Calls `remove` for each object with the ID of this bulk delete. Returns which objects were deleted and which failed.
 * Rejects with an `InternalError`, or with an error that is not a `StorageError`.
 */
export async function deleteObjects(
  { bucket, objects, quiet = false, bypassGovernance }: DeleteObjectsRequest,
  remove: (request: DeleteObjectRequest, bulk: number) => Promise<DeleteObjectResult>,
): Promise<DeleteObjectsResult> {
  const bulk = ++bulkDeletes;
  const outcomes = await Promise.all(
    objects.map((object) =>
      outcomeOf(object, remove({ ...object, bucket, ...defined({ bypassGovernance }) }, bulk)),
    ),
  );
  return {
    deleted: quiet ? [] : outcomes.flatMap((each) => ('deleted' in each ? each.deleted : [])),
    failed: outcomes.flatMap((each) => ('failed' in each ? each.failed : [])),
  };
}

async function outcomeOf(
  { key, versionId: asked }: ObjectToDelete,
  removal: Promise<DeleteObjectResult>,
): Promise<Outcome> {
  const object = defined({ key, versionId: asked });
  try {
    const { versionId, deleteMarker } = await removal;
    const marker = deleteMarker ? { deleteMarker, deleteMarkerVersionId: versionId } : {};
    return { deleted: defined({ ...object, ...marker }) };
  } catch (error) {
    if (!isStorageError(error) || error.code === 'InternalError') throw error;
    return { failed: { ...object, code: error.code, message: error.message } };
  }
}
