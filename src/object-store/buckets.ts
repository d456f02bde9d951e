/** Defines the operations that create, delete, describe and configure buckets. */

import type { AclRequest } from './access.ts';
import type { CallOptions } from './object-store.ts';

export type Versioning = 'Enabled' | 'Suspended';

export interface CreateBucketRequest {
  readonly bucket: string;
  readonly objectLockEnabled?: boolean;
  readonly acl?: AclRequest;
}

export interface ListedBucket {
  readonly name: string;
  readonly createdAt: number;
}

/**
 * The number and the total size of all versions, current and noncurrent. Delete markers and the parts of unfinished
 * uploads are not counted.
 */
export interface BucketUsage {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** The quotas that apply to a bucket, and the quota of its project. */
export interface BucketLimits {
  readonly sizeBytes: number;
  readonly objects: number;
  /** The maximum number of buckets in the project. */
  readonly buckets: number;
}

export interface BucketHead {
  /** The storage user ID of the bucket's owner, if the service returns it. */
  readonly owner?: string;
  /** The bucket's usage, if the service reports it. */
  readonly usage?: BucketUsage;
  /**
   * The bucket's quotas, if the service returns them. The engine returns them only to users of the bucket's project.
   */
  readonly limits?: BucketLimits;
}

export interface BucketAdmin {
  /**
   * Creates a bucket. Also resolves if the caller's project already owns a bucket of this name with the same Object Lock
   * setting and, if the request contains an ACL, the same ACL.
   */
  createBucket(request: CreateBucketRequest, options?: CallOptions): Promise<void>;
  /**
   * Deletes a bucket and aborts its open multipart uploads. Rejects with `BucketNotEmpty` if the bucket contains a
   * version or a delete marker.
   */
  deleteBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
  /** Returns the bucket's owner, usage and quotas. Rejects with `NoSuchBucket` or `AccessDenied`. */
  headBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<BucketHead>;
  /** Returns the buckets that the caller owns, sorted by name. */
  listBuckets(options?: CallOptions): Promise<readonly ListedBucket[]>;
  getBucketLocation(request: { readonly bucket: string }, options?: CallOptions): Promise<string>;
}

export interface BucketConfig {
  /** Returns the bucket's versioning state, or undefined if versioning was never set. */
  getVersioning(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<Versioning | undefined>;
  putVersioning(
    request: { readonly bucket: string; readonly versioning: Versioning },
    options?: CallOptions,
  ): Promise<void>;
}
