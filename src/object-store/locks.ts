/** Object lock: the role, and what goes in and comes out (specification, "Object lock"; semantics B.4). */

import type { CallOptions, ObjectRef, Retention, RetentionMode } from './object-store.ts';

/** Of each version that is written without a retention of its own. It has days or years, never both. */
export interface DefaultRetention {
  readonly mode: RetentionMode;
  /** Of 24 hours: 1 to 36,500. */
  readonly days?: number;
  /** Of the calendar: 1 to 100. */
  readonly years?: number;
}

export interface ObjectLockConfiguration {
  readonly defaultRetention?: DefaultRetention;
}

/** Without `defaultRetention`, the default of before is cancelled. */
export interface PutLockConfigurationRequest extends ObjectLockConfiguration {
  readonly bucket: string;
}

export interface PutRetentionRequest extends ObjectRef {
  readonly retention: Retention;
  /** Counts only with full privileges. */
  readonly bypassGovernance?: boolean;
}

export interface PutLegalHoldRequest extends ObjectRef {
  readonly legalHold: boolean;
}

/**
 * Without a version id, the current version is meant. What speaks of one version rejects with `InvalidRequest` in a
 * bucket without object lock, and with `MethodNotAllowed` for a delete marker.
 */
export interface LockKeeper {
  /** `ObjectLockConfigurationNotFoundError` for a bucket created without object lock. */
  getObjectLockConfiguration(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<ObjectLockConfiguration>;
  /** Holds for versions that are written from now on. `InvalidBucketState` in a bucket without object lock. */
  putObjectLockConfiguration(
    request: PutLockConfigurationRequest,
    options?: CallOptions,
  ): Promise<void>;
  /** As it was set, also after it has ended. `ObjectLockConfigurationNotFoundError` where none was. */
  getRetention(request: ObjectRef, options?: CallOptions): Promise<Retention>;
  /** `AccessDenied` where the one of before holds and would be weakened. */
  putRetention(request: PutRetentionRequest, options?: CallOptions): Promise<void>;
  /** `ObjectLockConfigurationNotFoundError` where nobody ever said whether there is one. */
  getLegalHold(request: ObjectRef, options?: CallOptions): Promise<boolean>;
  /** `AccessDenied` without full privileges. */
  putLegalHold(request: PutLegalHoldRequest, options?: CallOptions): Promise<void>;
}
