/** Declares the tags of objects and buckets, and their operations (specification, "Tagging"; semantics B.16). */

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
  /** The new tags, which replace all previous ones. At most 10; an empty list removes all tags. */
  readonly tags: readonly Tag[];
}

interface BucketRef {
  readonly bucket: string;
}

/**
 * Requests for tags. Without a version id, a request applies to the current version. A delete marker has no tags: a request
 * for them rejects with `MethodNotAllowed`. The tags of a locked version can be changed.
 */
export interface TagKeeper {
  getObjectTags(request: ObjectRef, options?: CallOptions): Promise<ObjectTags>;
  /** Rejects with `InvalidTag` if a tag is invalid. In that case, the previous tags remain. */
  putObjectTags(
    request: PutObjectTagsRequest,
    options?: CallOptions,
  ): Promise<Omit<ObjectTags, 'tags'>>;
  /** Resolves even if the object has no tags. */
  deleteObjectTags(request: ObjectRef, options?: CallOptions): Promise<Omit<ObjectTags, 'tags'>>;
  /** Rejects with `NoSuchTagSet` if the bucket has no tags. */
  getBucketTags(request: BucketRef, options?: CallOptions): Promise<readonly Tag[]>;
  putBucketTags(
    request: BucketRef & { readonly tags: readonly Tag[] },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketTags(request: BucketRef, options?: CallOptions): Promise<void>;
}
