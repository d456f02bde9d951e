/** Declares the bulk delete, which deletes many objects in one call (specification, "Object operations"). */

import type { CallOptions, DeleteConditions } from './object-store.ts';

/** The maximum number of objects and versions in one call (specification, "Limits"). */
export const MAX_BULK_DELETE = 1000;

export interface ObjectToDelete {
  readonly key: string;
  /** If present, that version is deleted permanently. */
  readonly versionId?: string;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectsRequest {
  readonly bucket: string;
  /** 1 to 1,000 objects or versions. Deletions of the same key run in the order of the list. */
  readonly objects: readonly ObjectToDelete[];
  /** If true, the result contains only the failures. */
  readonly quiet?: boolean;
  /** Applies to all objects. Ignored unless the caller has full privileges. */
  readonly bypassGovernance?: boolean;
}

export interface DeletedObject {
  readonly key: string;
  /** The version id of the request, if it has one. */
  readonly versionId?: string;
  /** True if a delete marker was created or deleted; `deleteMarkerVersionId` is its version id. */
  readonly deleteMarker?: boolean;
  readonly deleteMarkerVersionId?: string;
}

export interface FailedDeletion {
  readonly key: string;
  readonly versionId?: string;
  /** The protocol's error code; a remote service may return codes that the engine does not. */
  readonly code: string;
  readonly message: string;
}

export interface DeleteObjectsResult {
  readonly deleted: readonly DeletedObject[];
  readonly failed: readonly FailedDeletion[];
}

export interface BulkDeleter {
  /**
   * Returns one outcome for each object, in the order of the request; an object that does not exist counts as deleted.
   * Rejects only with errors of the whole call, such as `NoSuchBucket`.
   */
  deleteObjects(request: DeleteObjectsRequest, options?: CallOptions): Promise<DeleteObjectsResult>;
}
