/** Summarizes the locks of a job in counts that need no scan. */

import { defined } from '../base/defined.ts';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { RenewalPermission } from './renewal-permission.ts';

export interface LockStatus {
  /** Number of current versions that the job retains; `bytes` is their total size. */
  readonly locked: number;
  readonly bytes: number;
  /** Number of versions, including superseded ones, that should be locked and are not. */
  readonly unlocked: number;
  /** When the first lock ends, in milliseconds since 1970; `firstLapseDays` is the number of whole days until then. */
  readonly earliestUntil?: number;
  readonly firstLapseDays?: number;
  /** Number of renewals that are overdue by a minute or more; 10,000 means 10,000 or more. */
  readonly renewalsDue: number;
  /** Number of lock checks that failed and will be retried. */
  readonly failing: number;
  /** Number of versions whose lock renewal the user ended. */
  readonly released: number;
  /** Number of changes deferred by `minVersionInterval`; `deferredUntil` is when the first one is uploaded. */
  readonly deferred: number;
  readonly deferredUntil?: number;
  /** Number of versions whose removal only a lock prevents; `retainedUntil` is when the first one can be removed. */
  readonly retained: number;
  readonly retainedUntil?: number;
  /** Whether the job has permission to extend locks, as tested within the last day. */
  readonly renewalRight: RenewalPermission['is'];
  readonly reason?: string;
}

const MOST_DUE = 10_000;

export interface LockStatusParts {
  readonly state: StateFile;
  readonly now: number;
  readonly permission: RenewalPermission;
  readonly deferrals: { readonly count: number; readonly until?: number };
  readonly hasLock: boolean;
}

/** Returns the lock status; undefined if the job locks nothing and nothing is deferred or retained. */
export function lockStatus({
  state: { locks, retained: retainedVersions },
  now,
  permission,
  deferrals,
  hasLock,
}: LockStatusParts): LockStatus | undefined {
  const { versions: retained, next } = retainedVersions.totals();
  if (!hasLock && deferrals.count === 0 && retained === 0) return undefined;
  const earliestUntil = locks.endsFirst(now)?.retainUntil ?? undefined;
  return {
    ...locks.totals(now),
    renewalsDue: locks.countDue(now - MINUTE_MS, MOST_DUE),
    failing: locks.countFailing(),
    released: locks.countReleased(),
    deferred: deferrals.count,
    retained,
    renewalRight: permission.is,
    ...defined({
      earliestUntil,
      firstLapseDays: earliestUntil && Math.floor((earliestUntil - now) / DAY_MS),
      deferredUntil: deferrals.until,
      retainedUntil: next ?? undefined,
      reason: permission.is === 'refused' ? permission.reason : undefined,
    }),
  };
}
