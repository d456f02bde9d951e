/** Creates, deletes, describes and configures buckets. */

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

/** Counts all versions, current and noncurrent. Excludes delete markers and the parts of incomplete uploads. */
export interface BucketUsage {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** The quotas of a bucket and of its project. */
export interface BucketLimits {
  readonly sizeBytes: number;
  readonly objects: number;
  /** The limit for the project. */
  readonly buckets: number;
}

export interface BucketHead {
  /** Storage user id, if the service returns it. */
  readonly owner?: string;
  /** Present if the service reports its usage. */
  readonly usage?: BucketUsage;
  /** Present if the service returns them. The engine returns them to users of the bucket's project. */
  readonly limits?: BucketLimits;
}

export interface BucketAdmin {
  /** Resolves if the caller already owns the bucket and its Object Lock setting is the same. */
  createBucket(request: CreateBucketRequest, options?: CallOptions): Promise<void>;
  /** `BucketNotEmpty` while any version or delete marker remains. Aborts open multipart uploads. */
  deleteBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
  /** Rejects with `NoSuchBucket` or `AccessDenied`. */
  headBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<BucketHead>;
  /** Lists the caller's own buckets, sorted by name. */
  listBuckets(options?: CallOptions): Promise<readonly ListedBucket[]>;
  getBucketLocation(request: { readonly bucket: string }, options?: CallOptions): Promise<string>;
}

export interface BucketConfig {
  /** Returns undefined for a bucket that never had versioning. */
  getVersioning(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<Versioning | undefined>;
  putVersioning(
    request: { readonly bucket: string; readonly versioning: Versioning },
    options?: CallOptions,
  ): Promise<void>;
}
