/** Tags of objects and buckets (specification, "Tagging"; semantics B.16). */

import type { CallOptions, ObjectRef } from './object-store.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

export interface ObjectTags {
  /** Sorted by key in the embedded store. A remote service has its own order. */
  readonly tags: readonly Tag[];
  /** Absent in a bucket that never had versioning. */
  readonly versionId?: string;
}

export interface PutObjectTagsRequest extends ObjectRef {
  /** Replaces all tags. At most 10; an empty list removes them. */
  readonly tags: readonly Tag[];
}

interface BucketRef {
  readonly bucket: string;
}

/**
 * Without a version id, a request applies to the current version. A delete marker has no tags (`MethodNotAllowed`). The tags
 * of a locked version can be changed.
 */
export interface TagKeeper {
  getObjectTags(request: ObjectRef, options?: CallOptions): Promise<ObjectTags>;
  /** `InvalidTag` for invalid tags; the previous tags then remain. */
  putObjectTags(
    request: PutObjectTagsRequest,
    options?: CallOptions,
  ): Promise<Omit<ObjectTags, 'tags'>>;
  /** Resolves even if the object has no tags. */
  deleteObjectTags(request: ObjectRef, options?: CallOptions): Promise<Omit<ObjectTags, 'tags'>>;
  /** `NoSuchTagSet` if the bucket has no tags. */
  getBucketTags(request: BucketRef, options?: CallOptions): Promise<readonly Tag[]>;
  putBucketTags(
    request: BucketRef & { readonly tags: readonly Tag[] },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketTags(request: BucketRef, options?: CallOptions): Promise<void>;
}
