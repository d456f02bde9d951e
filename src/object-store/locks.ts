/** Object Lock: default retention of buckets, and retention and legal hold of versions (specification, "Object lock"; semantics B.4). */

import type { CallOptions, ObjectRef, Retention, RetentionMode } from './object-store.ts';

/** The retention of each version that is written without its own. It has either days or years. */
export interface DefaultRetention {
  readonly mode: RetentionMode;
  /** Days of 24 hours: 1 to 36,500. */
  readonly days?: number;
  /** Calendar years: 1 to 100. */
  readonly years?: number;
}

export interface ObjectLockConfiguration {
  readonly defaultRetention?: DefaultRetention;
}

/** Without `defaultRetention`, the request removes the default retention. */
export interface PutLockConfigurationRequest extends ObjectLockConfiguration {
  readonly bucket: string;
}

export interface PutRetentionRequest extends ObjectRef {
  readonly retention: Retention;
  /** Ignored unless the caller has full privileges. */
  readonly bypassGovernance?: boolean;
}

export interface PutLegalHoldRequest extends ObjectRef {
  readonly legalHold: boolean;
}

/**
 * Without a version id, a request applies to the current version. Requests for a version reject with `InvalidRequest` in a
 * bucket without Object Lock, and with `MethodNotAllowed` for a delete marker.
 */
export interface LockKeeper {
  /** `ObjectLockConfigurationNotFoundError` for a bucket created without Object Lock. */
  getObjectLockConfiguration(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ObjectLockConfiguration>;
  /** Applies to versions written afterwards. `InvalidBucketState` in a bucket without Object Lock. */
  putObjectLockConfiguration(
    request: PutLockConfigurationRequest,
    options?: CallOptions,
  ): Promise<void>;
  /** Also returns a retention that has ended. `ObjectLockConfigurationNotFoundError` if none was set. */
  getRetention(request: ObjectRef, options?: CallOptions): Promise<Retention>;
  /** `AccessDenied` if the previous retention is in force and the new one would weaken it. */
  putRetention(request: PutRetentionRequest, options?: CallOptions): Promise<void>;
  /** `ObjectLockConfigurationNotFoundError` if the legal hold was never set, neither on nor off. */
  getLegalHold(request: ObjectRef, options?: CallOptions): Promise<boolean>;
  /** `AccessDenied` without full privileges. */
  putLegalHold(request: PutLegalHoldRequest, options?: CallOptions): Promise<void>;
}
