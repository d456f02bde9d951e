/**
 * Defines Object Lock: the default retention of buckets, and the retention and legal hold of versions (specification,
 * "Object lock"; semantics B.4).
 */

import type { CallOptions, ObjectRef, Retention, RetentionMode } from './object-store.ts';

/** The retention for versions that are written without a retention. Either `days` or `years` is present. */
export interface DefaultRetention {
  readonly mode: RetentionMode;
  /** The retention period in days of 24 hours, 1 to 36,500. */
  readonly days?: number;
  /** The retention period in calendar years, 1 to 100. */
  readonly years?: number;
}

export interface ObjectLockConfiguration {
  readonly defaultRetention?: DefaultRetention;
}

/** The new lock configuration of a bucket. Without `defaultRetention`, the request removes the default retention. */
export interface PutLockConfigurationRequest extends ObjectLockConfiguration {
  readonly bucket: string;
}

export interface PutRetentionRequest extends ObjectRef {
  readonly retention: Retention;
  /** Bypasses governance retention. Ignored unless the caller has full access. */
  readonly bypassGovernance?: boolean;
}

export interface PutLegalHoldRequest extends ObjectRef {
  readonly legalHold: boolean;
}

/**
 * Reads and sets locks. Without a version ID, a request applies to the current version. Requests for a version reject
 * with `InvalidRequest` if the bucket has no Object Lock, and with `MethodNotAllowed` for a delete marker.
 */
export interface LockKeeper {
  /**
   * Returns the bucket's lock configuration. Rejects with `ObjectLockConfigurationNotFoundError` for a bucket without
   * Object Lock.
   */
  getObjectLockConfiguration(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ObjectLockConfiguration>;
  /**
   * Sets the bucket's default retention, which applies to versions that are written afterwards. Rejects with
   * `InvalidBucketState` for a bucket without Object Lock.
   */
  putObjectLockConfiguration(
    request: PutLockConfigurationRequest,
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Returns the version's retention, even if it has ended. Rejects with `ObjectLockConfigurationNotFoundError` if no
   * retention was set.
   */
  getRetention(request: ObjectRef, options?: CallOptions): Promise<Retention>;
  /**
   * Sets the version's retention. Rejects with `AccessDenied` if the current retention has not ended and the new one
   * would weaken it.
   */
  putRetention(request: PutRetentionRequest, options?: CallOptions): Promise<void>;
  /**
   * Returns whether the version's legal hold is on. Rejects with `ObjectLockConfigurationNotFoundError` if the legal
   * hold was never set to on or off.
   */
  getLegalHold(request: ObjectRef, options?: CallOptions): Promise<boolean>;
  /** Sets the version's legal hold. Rejects with `AccessDenied` unless the caller has full access. */
  putLegalHold(request: PutLegalHoldRequest, options?: CallOptions): Promise<void>;
}
