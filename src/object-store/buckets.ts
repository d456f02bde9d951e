/** Buckets: their description, and the roles that create, delete and configure them. */

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

/** Counts all versions, current or not, without delete markers and parts of open uploads. */
export interface BucketUsage {
  readonly objects: number;
  readonly sizeBytes: number;
}

/** The quotas of a bucket and of its project. */
export interface BucketLimits {
  readonly sizeBytes: number;
  readonly objects: number;
  /** Of the project. */
  readonly buckets: number;
}

export interface BucketHead {
  /** Storage user id, if the service returns it. */
  readonly owner?: string;
  /** Set if the service counts them. */
  readonly usage?: BucketUsage;
  /** Set if the service returns them; the engine returns them to users of the bucket's project. */
  readonly limits?: BucketLimits;
}

export interface BucketAdmin {
  /** Creating one's own bucket again resolves when the lock flag is the same. */
  createBucket(request: CreateBucketRequest, options?: CallOptions): Promise<void>;
  /** `BucketNotEmpty` while any version or delete marker remains. Aborts open multipart uploads. */
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
