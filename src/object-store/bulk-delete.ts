/** Many deletions in one call: the role, its requests and its results (specification, "Object operations"). */

import type { CallOptions, DeleteConditions } from './object-store.ts';

/** Objects and versions of one call (specification, "Limits"). */
export const MAX_BULK_DELETE = 1000;

export interface ObjectToDelete {
  readonly key: string;
  /** If present, that version is deleted permanently. */
  readonly versionId?: string;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectsRequest {
  readonly bucket: string;
  /** 1 to 1,000; deletions of one key run in their order. */
  readonly objects: readonly ObjectToDelete[];
  /** The result lists only failures. */
  readonly quiet?: boolean;
  /** Of all of them; counts only with full privileges. */
  readonly bypassGovernance?: boolean;
}

export interface DeletedObject {
  readonly key: string;
  /** The version id of the request. */
  readonly versionId?: string;
  /** Whether a delete marker was made or removed, and which. */
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
