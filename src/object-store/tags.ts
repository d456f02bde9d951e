/** Defines the tags of objects and buckets, and their operations (specification, "Tagging"; semantics B.16). */

import type { CallOptions, ObjectRef } from './object-store.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

export interface ObjectTags {
  /** The tags. The embedded store sorts them by key; a remote service may use a different order. */
  readonly tags: readonly Tag[];
  /** The version ID; absent in a bucket that never had versioning. */
  readonly versionId?: string;
}

export interface PutObjectTagsRequest extends ObjectRef {
  /** The new tags, at most 10, which replace all previous tags. An empty list removes all tags. */
  readonly tags: readonly Tag[];
}

interface BucketRef {
  readonly bucket: string;
}

/**
 * Reads and sets tags. Without a version ID, a request applies to the current version. A delete marker has no tags, so
 * a request for its tags rejects with `MethodNotAllowed`. The tags of a locked version can be changed.
 */
export interface TagKeeper {
  getObjectTags(request: ObjectRef, options?: CallOptions): Promise<ObjectTags>;
  /** Sets the tags of an object. Rejects with `InvalidTag` if a tag is invalid; the previous tags then remain. */
  putObjectTags(
    request: PutObjectTagsRequest,
    options?: CallOptions,
  ): Promise<Omit<ObjectTags, 'tags'>>;
  /** Removes all tags of an object. Also resolves if the object has no tags. */
  deleteObjectTags(request: ObjectRef, options?: CallOptions): Promise<Omit<ObjectTags, 'tags'>>;
  /** Returns the tags of a bucket. Rejects with `NoSuchTagSet` if the bucket has no tags. */
  getBucketTags(request: BucketRef, options?: CallOptions): Promise<readonly Tag[]>;
  putBucketTags(
    request: BucketRef & { readonly tags: readonly Tag[] },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketTags(request: BucketRef, options?: CallOptions): Promise<void>;
}
