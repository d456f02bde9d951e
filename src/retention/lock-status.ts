/** Summarizes the locks of a job in counts that need no scan. */

import { defined } from '../base/defined.ts';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import type { StateFile } from '../mirror/state/state.ts';
import type { RenewalPermission } from './renewal-permission.ts';

export interface LockStatus {
  /** Current versions that the job retains, and their bytes. */
  readonly locked: number;
  readonly bytes: number;
  /** Versions, including superseded ones, that should be locked and are not. */
  readonly unlocked: number;
  /** When the first of these locks ends, in milliseconds since 1970, and how many whole days are left. */
  readonly earliestUntil?: number;
  readonly firstLapseDays?: number;
  /** Renewals that are overdue by a minute or more; 10,000 means 10,000 or more. */
  readonly renewalsDue: number;
  /** Checks that failed and will be retried. */
  readonly failing: number;
  /** Versions whose renewal the user ended. */
  readonly released: number;
  /** Changes deferred by `minVersionInterval`, and when the first one is uploaded. */
  readonly deferred: number;
  readonly deferredUntil?: number;
  /** Versions that only a lock keeps from removal, and when the first one can be removed. */
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

/** Returns undefined if the job locks nothing and nothing is deferred or retained. */
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
