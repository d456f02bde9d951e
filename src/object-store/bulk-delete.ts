/** Many deletions in one call: the role, and what goes in and comes out (specification, "Object operations"). */

import type { CallOptions, DeleteConditions } from './object-store.ts';

/** Objects and versions of one call (specification, "Limits"). */
export const MAX_BULK_DELETE = 1000;

export interface ObjectToDelete {
  readonly key: string;
  /** With it: that version is gone for good. */
  readonly versionId?: string;
  readonly conditions?: DeleteConditions;
}

export interface DeleteObjectsRequest {
  readonly bucket: string;
  /** 1 to 1,000; those of one key are worked off in their order. */
  readonly objects: readonly ObjectToDelete[];
  /** Only failures are told. */
  readonly quiet?: boolean;
  /** Of all of them; counts only with full privileges. */
  readonly bypassGovernance?: boolean;
}

export interface DeletedObject {
  readonly key: string;
  /** As it was asked for. */
  readonly versionId?: string;
  /** Whether a delete marker was made or removed, and which. */
  readonly deleteMarker?: boolean;
  readonly deleteMarkerVersionId?: string;
}

export interface FailedDeletion {
  readonly key: string;
  readonly versionId?: string;
  /** The protocol's name; a remote service may have others than ours. */
  readonly code: string;
  readonly message: string;
}

export interface DeleteObjectsResult {
  readonly deleted: readonly DeletedObject[];
  readonly failed: readonly FailedDeletion[];
}

export interface BulkDeleter {
  /**
   * Each object's outcome is its own, in the order asked for; an object that does not exist counts as deleted. Rejects
   * only with what is no answer about one of them, such as `NoSuchBucket`.
   */
  deleteObjects(request: DeleteObjectsRequest, options?: CallOptions): Promise<DeleteObjectsResult>;
}
