/**
 * Declares Object Lock: the default retention of buckets, and the retention and legal hold of versions (specification,
 * "Object lock"; semantics B.4).
 */

import type { CallOptions, ObjectRef, Retention, RetentionMode } from './object-store.ts';

/** The retention of each version that is written without a retention of its own. Either `days` or `years` is present. */
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
  /** Rejects with `ObjectLockConfigurationNotFoundError` for a bucket created without Object Lock. */
  getObjectLockConfiguration(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ObjectLockConfiguration>;
  /** Applies to versions written afterwards. Rejects with `InvalidBucketState` in a bucket without Object Lock. */
  putObjectLockConfiguration(
    request: PutLockConfigurationRequest,
    options?: CallOptions,
  ): Promise<void>;
  /** Returns the retention, even if it has ended. Rejects with `ObjectLockConfigurationNotFoundError` if none was set. */
  getRetention(request: ObjectRef, options?: CallOptions): Promise<Retention>;
  /** Rejects with `AccessDenied` if the previous retention is in force and the new one would weaken it. */
  putRetention(request: PutRetentionRequest, options?: CallOptions): Promise<void>;
  /**
   * Returns whether the legal hold is on. Rejects with `ObjectLockConfigurationNotFoundError` if it was never set, neither
   * on nor off.
   */
  getLegalHold(request: ObjectRef, options?: CallOptions): Promise<boolean>;
  /** Rejects with `AccessDenied` unless the caller has full privileges. */
  putLegalHold(request: PutLegalHoldRequest, options?: CallOptions): Promise<void>;
}
