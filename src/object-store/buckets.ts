/** Declares the operations that create, delete, describe and configure buckets. */

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
 * The number and the total size of all versions, current and noncurrent. Excludes delete markers and the parts of
 * incomplete uploads.
 */
export interface BucketUsage {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** The quotas of a bucket and of its project. */
export interface BucketLimits {
  readonly sizeBytes: number;
  readonly objects: number;
  /** The limit for the number of buckets in the project. */
  readonly buckets: number;
}

export interface BucketHead {
  /** Storage user id of the owner, if the service returns it. */
  readonly owner?: string;
  /** Present if the service reports its usage. */
  readonly usage?: BucketUsage;
  /** Present if the service returns quotas. The engine returns them to users of the bucket's project. */
  readonly limits?: BucketLimits;
}

export interface BucketAdmin {
  /**
   * Creates a bucket. Also resolves if the caller's project already owns a bucket of this name with the same Object Lock
   * setting and, if the request has an ACL, the same ACL.
   */
  createBucket(request: CreateBucketRequest, options?: CallOptions): Promise<void>;
  /**
   * Aborts the bucket's open multipart uploads. Rejects with `BucketNotEmpty` while any version or delete marker exists.
   */
  deleteBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
  /** Returns the owner, usage and limits of the bucket. Rejects with `NoSuchBucket` or `AccessDenied`. */
  headBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<BucketHead>;
  /** Returns the buckets that the caller owns, sorted by name. */
  listBuckets(options?: CallOptions): Promise<readonly ListedBucket[]>;
  getBucketLocation(request: { readonly bucket: string }, options?: CallOptions): Promise<string>;
}

export interface BucketConfig {
  /** Returns the versioning state, or undefined for a bucket that never had versioning. */
  getVersioning(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<Versioning | undefined>;
  putVersioning(
    request: { readonly bucket: string; readonly versioning: Versioning },
    options?: CallOptions,
  ): Promise<void>;
}
