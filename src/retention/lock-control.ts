/** Defines the lock commands of a job and the reports that they return. */

import type { RetentionMode } from '../object-store/object-store.ts';
import type { LockDay } from '../mirror/state/lock-table.ts';
import type { RetainedVersion } from '../mirror/state/retained-versions.ts';
import type { LockStatus } from './lock-status.ts';

export interface LockControl {
  /**
   * Returns counts of locks, the number of locks that end on each day, and the versions that will be removed when their
   * lock ends.
   */
  report(): LockReport;
  /** Explains the lock of a path. Reads the version of the path from the service. Throws MirrorError `NotMirrored`. */
  why(path: string, signal: AbortSignal): Promise<LockReasons>;
  /** Stops renewing the locks of the current versions at and below a path. Throws MirrorError `NotMirrored`. */
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
  /** The first 100 versions that will be removed when their lock ends, ordered by the end of the lock. */
  readonly retained: readonly RetainedVersion[];
}

export interface ReleasedLocks {
  readonly versions: number;
  /** When the first of the released locks ends, in milliseconds since 1970. */
  readonly firstEnd?: number;
  readonly lastEnd?: number;
}

export interface LockReasons {
  readonly key: string;
  readonly versionId?: string;
  /** The lock that the job requests for the key. Absent if the job requests no lock. */
  readonly terms?: {
    readonly mode: RetentionMode;
    readonly days: number;
    readonly refreshDays: number;
  };
  readonly pattern?: string;
  /** The current retention that the service reports. */
  readonly retention?: { readonly mode: RetentionMode; readonly retainUntil: number };
  readonly legalHold: boolean;
  /** Whether this version is still the current version. */
  readonly isHead: boolean;
  /** When the lock is next checked, in milliseconds since 1970. Absent if the job does not renew it. */
  readonly renewedAt?: number;
  readonly released: boolean;
  /** Why the last check of the lock failed. */
  readonly problem?: string;
  /** The bucket's default retention. */
  readonly bucketDefault?: {
    readonly mode: RetentionMode;
    readonly days?: number;
    readonly years?: number;
  };
  /** A sentence for the user that says what ends the lock. */
  readonly ends: string;
}
