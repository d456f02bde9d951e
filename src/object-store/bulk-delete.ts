/** Defines the bulk delete, which deletes many objects in one call (specification, "Object operations"). */

import type { CallOptions, DeleteConditions } from './object-store.ts';

/** The maximum number of objects and versions in one bulk delete (specification, "Limits"). */
export const MAX_BULK_DELETE = 1000;

export interface ObjectToDelete {
  readonly key: string;
  /** The version to delete permanently. If absent, the current version is deleted as `deleteObject` does. */
  readonly versionId?: string;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectsRequest {
  readonly bucket: string;
  /** The objects and versions to delete, 1 to 1,000. Deletions of the same key run in the order of the list. */
  readonly objects: readonly ObjectToDelete[];
  /** If true, the result contains only failures. */
  readonly quiet?: boolean;
  /** Bypasses governance retention for all objects of the request. Ignored unless the caller has full access. */
  readonly bypassGovernance?: boolean;
}

export interface DeletedObject {
  readonly key: string;
  /** The version ID of the request, if the request named one. */
  readonly versionId?: string;
  /**
   * Whether a delete marker was created or deleted. `deleteMarkerVersionId` is the version ID of that delete marker.
   */
  readonly deleteMarker?: boolean;
  readonly deleteMarkerVersionId?: string;
}

export interface FailedDeletion {
  readonly key: string;
  readonly versionId?: string;
  /** The protocol's error code. A remote service may return codes that the engine never returns. */
  readonly code: string;
  readonly message: string;
}

export interface DeleteObjectsResult {
  readonly deleted: readonly DeletedObject[];
  readonly failed: readonly FailedDeletion[];
}

export interface BulkDeleter {
  /**
   * Deletes objects, and returns one outcome for each, in the order of the request. Deleting an object that does not
   * exist succeeds. Rejects only with errors that affect the whole call, such as `NoSuchBucket`.
   */
  deleteObjects(request: DeleteObjectsRequest, options?: CallOptions): Promise<DeleteObjectsResult>;
}
