/** Summarizes the locks of a job in counts that are available without a scan. */

import { defined } from '../base/defined.ts';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { RenewalPermission } from './renewal-permission.ts';

export interface LockStatus {
  /** The number of current versions that the job keeps locked. `bytes` is their total size. */
  readonly locked: number;
  readonly bytes: number;
  /** The number of versions, including superseded versions, that should be locked but are not. */
  readonly unlocked: number;
  /** When the first lock ends, in milliseconds since 1970. `firstLapseDays` is the number of whole days until then. */
  readonly earliestUntil?: number;
  readonly firstLapseDays?: number;
  /** The number of renewals that are overdue by a minute or more. 10,000 means 10,000 or more. */
  readonly renewalsDue: number;
  /** The number of lock checks that failed and will be retried. */
  readonly failing: number;
  /** The number of versions whose lock renewal the user ended. */
  readonly released: number;
  /** The number of changes that `minVersionInterval` defers. `deferredUntil` is when the first of them is uploaded. */
  readonly deferred: number;
  readonly deferredUntil?: number;
  /**
   * The number of versions that would be removed if they were not locked. `retainedUntil` is when the first of them
   * can be removed.
   */
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

/** Returns the lock status. Returns undefined if the job locks nothing and nothing is deferred or retained. */
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
