/** Tags of objects and buckets: the role, and what goes in and comes out (specification, "Tagging"; semantics B.16). */

import type { CallOptions, ObjectRef } from './object-store.ts';

export interface Tag {
  readonly key: string;
  readonly value: string;
}

export interface ObjectTags {
  /** Sorted by key where this engine is the store; a remote service has its own order. */
  readonly tags: readonly Tag[];
  /** Absent in a bucket that never had versioning. */
  readonly versionId?: string;
}

export interface PutObjectTagsRequest extends ObjectRef {
  /** All that there will be: at most 10, none removes them. */
  readonly tags: readonly Tag[];
}

interface BucketRef {
  readonly bucket: string;
}

/**
 * Without a version id, the current version is meant. A delete marker, current or not, has no tags:
 * `MethodNotAllowed`. A lock does not keep a version's tags from being changed.
 */
export interface TagKeeper {
  getObjectTags(request: ObjectRef, options?: CallOptions): Promise<ObjectTags>;
  /** `InvalidTag` for what no tags can be; then those of before stay. */
  putObjectTags(
    request: PutObjectTagsRequest,
    options?: CallOptions,
  ): Promise<Omit<ObjectTags, 'tags'>>;
  /** Resolves also where there are none. */
  deleteObjectTags(request: ObjectRef, options?: CallOptions): Promise<Omit<ObjectTags, 'tags'>>;
  /** `NoSuchTagSet` where none were ever given, or they were removed. */
  getBucketTags(request: BucketRef, options?: CallOptions): Promise<readonly Tag[]>;
  putBucketTags(
    request: BucketRef & { readonly tags: readonly Tag[] },
    options?: CallOptions,
  ): Promise<void>;
  deleteBucketTags(request: BucketRef, options?: CallOptions): Promise<void>;
}
