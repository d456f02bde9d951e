/** Buckets: what is known of one, and the roles that make, remove and configure them. */

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

/** Of all versions, current or not; delete markers and the parts of open uploads are none. */
export interface BucketUsage {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** What a bucket, and the project that it belongs to, may hold. */
export interface BucketLimits {
  readonly sizeBytes: number;
  readonly objects: number;
  /** Of the project. */
  readonly buckets: number;
}

export interface BucketHead {
  /** Storage user id, where the service tells it. */
  readonly owner?: string;
  /** Where the service counts. */
  readonly usage?: BucketUsage;
  /** Where the service tells; ours tells the users of the bucket's project. */
  readonly limits?: BucketLimits;
}

export interface BucketAdmin {
  /** Creating one's own bucket again resolves when the lock flag is the same. */
  createBucket(request: CreateBucketRequest, options?: CallOptions): Promise<void>;
  /** `BucketNotEmpty` while any version or delete marker is left. Open uploads are dropped. */
  deleteBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
  /** Rejects with `NoSuchBucket` or `AccessDenied`. */
  headBucket(request: { readonly bucket: string }, options?: CallOptions): Promise<BucketHead>;
  /** The caller's own buckets, by name. */
  listBuckets(options?: CallOptions): Promise<readonly ListedBucket[]>;
  getBucketLocation(request: { readonly bucket: string }, options?: CallOptions): Promise<string>;
}

export interface BucketConfig {
  /** Undefined for a bucket that never had versioning. */
  getVersioning(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<Versioning | undefined>;
  putVersioning(
    request: { readonly bucket: string; readonly versioning: Versioning },
    options?: CallOptions,
  ): Promise<void>;
}
