/** The lock commands of a job, and the reports that they return. */

import type { RetentionMode } from '../object-store/object-store.ts';
import type { LockDay } from '../mirror/state/lock-table.ts';
import type { RetainedVersion } from '../mirror/state/retained-versions.ts';
import type { LockStatus } from './lock-status.ts';

export interface LockControl {
  /** Returns the counts, the ends of locks by day, and the versions that wait for the end of a lock. */
  report(): LockReport;
  /** Explains the lock of one path of the job. Reads the version from the service. Throws MirrorError `NotMirrored`. */
  why(path: string, signal: AbortSignal): Promise<LockReasons>;
  /** Stops renewing the current versions at and below a path. Throws MirrorError `NotMirrored`. */
  release(path: string): ReleasedLocks;
  /**
   * Starts a round that deletes the objects of excluded files at and below a path. Throws MirrorError `NotMirrored`,
   * `StillMirrored` if a file there is not excluded, and `HeldForReview` if a change there is held for review.
   */
  forget(path: string): { readonly objects: number };
}

export interface LockReport {
  readonly status?: LockStatus;
  readonly days: readonly LockDay[];
  /** The first 100, in the order of their lock ends. */
  readonly retained: readonly RetainedVersion[];
}

export interface ReleasedLocks {
  readonly versions: number;
  /** When the first of these locks ends, in milliseconds since 1970. */
  readonly firstEnd?: number;
  readonly lastEnd?: number;
}

export interface LockReasons {
  readonly key: string;
  readonly versionId?: string;
  /** The lock that the job requests, and the pattern that selects it; absent if the job requests none. */
  readonly terms?: {
    readonly mode: RetentionMode;
    readonly days: number;
    readonly refreshDays: number;
  };
  readonly pattern?: string;
  /** As the service reports it now. */
  readonly retention?: { readonly mode: RetentionMode; readonly retainUntil: number };
  readonly legalHold: boolean;
  /** Whether it is still the current version. */
  readonly isHead: boolean;
  /** When the lock is next checked, in milliseconds since 1970; absent if the job does not renew it. */
  readonly renewedAt?: number;
  readonly released: boolean;
  /** Why the last check failed. */
  readonly problem?: string;
  /** The bucket's default retention. */
  readonly bucketDefault?: {
    readonly mode: RetentionMode;
    readonly days?: number;
    readonly years?: number;
  };
  /** A sentence that says what ends the lock. */
  readonly ends: string;
}
