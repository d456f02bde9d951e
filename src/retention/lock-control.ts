/** What the user asks of the locks, and says of them. */

import type { RetentionMode } from '../object-store/object-store.ts';
import type { LockDay } from '../mirror/state/lock-table.ts';
import type { RetainedVersion } from '../mirror/state/retained-table.ts';
import type { LockStatus } from './lock-status.ts';

export interface LockControl {
  /** In numbers, the ends by day, and what waits for one. */
  report(): LockReport;
  /** Of one path of the job; looks at the service, too. Throws MirrorError `NotMirrored`. */
  why(path: string, signal: AbortSignal): Promise<LockReasons>;
  /** Ends the renewal of the versions at a path and below, as they are now. Throws MirrorError `NotMirrored`. */
  release(path: string): ReleasedLocks;
  /**
   * Has the objects of files that are left out deleted, at a path and below: by the round that begins. Throws MirrorError
   * `NotMirrored`, and `StillMirrored` for a path that is not left out.
   */
  forget(path: string): { readonly objects: number };
}

export interface LockReport {
  readonly status?: LockStatus;
  readonly days: readonly LockDay[];
  /** The first 100, by their end. */
  readonly retained: readonly RetainedVersion[];
}

export interface ReleasedLocks {
  readonly versions: number;
  /** When the first of these locks ends, milliseconds since 1970. */
  readonly firstEnd?: number;
  readonly lastEnd?: number;
}

export interface LockReasons {
  readonly key: string;
  readonly versionId?: string;
  /** What the job asks for, and the pattern that says so; absent where it asks for none. */
  readonly terms?: {
    readonly mode: RetentionMode;
    readonly days: number;
    readonly refreshDays: number;
  };
  readonly pattern?: string;
  /** As the service tells it now. */
  readonly retention?: { readonly mode: RetentionMode; readonly retainUntil: number };
  readonly legalHold: boolean;
  /** Whether it is the current version still. */
  readonly isHead: boolean;
  /** When it is looked at next, milliseconds since 1970; absent when nobody renews it. */
  readonly renewedAt?: number;
  readonly released: boolean;
  /** Why the last look failed. */
  readonly problem?: string;
  /** The bucket's default retention. */
  readonly bucketDefault?: {
    readonly mode: RetentionMode;
    readonly days?: number;
    readonly years?: number;
  };
  /** In words: what ends it. */
  readonly ends: string;
}
