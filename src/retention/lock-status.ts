/** How the locks of a job stand, in numbers that cost no scan. */

import { defined } from '../base/defined.ts';
import { DAY_MS, MINUTE_MS } from '../base/durations.ts';
import type { StateFile } from '../mirror/state/state.ts';
import type { RenewalPermission } from './renewal-permission.ts';

export interface LockStatus {
  /** Current versions that are retained by the job, and their bytes. */
  readonly locked: number;
  readonly bytes: number;
  /** To be locked, and not; superseded versions as well. */
  readonly unlocked: number;
  /** When the first of these locks ends, milliseconds since 1970, and in how many whole days. */
  readonly earliestUntil?: number;
  readonly firstLapseDays?: number;
  /** Due for a minute or more, and not done: 10,000 stand for as many or more. */
  readonly renewalsDue: number;
  /** Looks that failed, and are made again. */
  readonly failing: number;
  /** Versions whose renewal the user ended. */
  readonly released: number;
  /** Changes that wait for `minVersionInterval`, and until when the first does. */
  readonly deferred: number;
  readonly deferredUntil?: number;
  /** Versions that would be removed, but for their lock; and when the first may go. */
  readonly retained: number;
  readonly retainedUntil?: number;
  /** Whether locks may be extended, as it was tried within a day. */
  readonly renewalRight: RenewalPermission['is'];
  readonly reason?: string;
}

const MOST_DUE = 10_000;

export interface LockStatusParts {
  readonly state: StateFile;
  readonly now: number;
  readonly right: RenewalPermission;
  readonly deferrals: { readonly count: number; readonly until?: number };
  readonly hasLock: boolean;
}

/** Undefined where nothing is locked, deferred or retained, and nothing is to be. */
export function lockStatus({
  state: { locks, retained: waiting },
  now,
  right,
  deferrals,
  hasLock,
}: LockStatusParts): LockStatus | undefined {
  const { versions: retained, next } = waiting.totals();
  if (!hasLock && deferrals.count === 0 && retained === 0) return undefined;
  const earliestUntil = locks.endsFirst(now)?.retainUntil ?? undefined;
  return {
    ...locks.totals(now),
    renewalsDue: locks.countDue(now - MINUTE_MS, MOST_DUE),
    failing: locks.countFailing(),
    released: locks.countReleased(),
    deferred: deferrals.count,
    retained,
    renewalRight: right.is,
    ...defined({
      earliestUntil,
      firstLapseDays: earliestUntil && Math.floor((earliestUntil - now) / DAY_MS),
      deferredUntil: deferrals.until,
      retainedUntil: next ?? undefined,
      reason: right.is === 'refused' ? right.reason : undefined,
    }),
  };
}
