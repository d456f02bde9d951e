/** Checks the lock in the request for a new version, and returns the columns to store. */

import type { Retention } from '../../../object-store/object-store.ts';
import { retentionFrom } from '../../../object-store/rules/default-retention.ts';
import {
  checkLegalHoldPermission,
  checkLockRequest,
  type UnlockContext,
} from '../../../object-store/rules/locks.ts';
import type { CommandContext, Description } from './commands.ts';
import { lockConfiguration } from '../../schema/object-info.ts';
import type { BucketRow, LockColumns } from '../../schema/rows.ts';

/**
 * Checks the lock in the request for a new version. Throws the errors of `checkLockRequest`, and `AccessDenied` for a
 * legal hold without full access. The end of a retention is compared with the trusted time, by which the lock will end.
 */
export function checkLock(
  lock: Description['lock'],
  bucket: BucketRow,
  context: CommandContext,
): void {
  const objectLockEnabled = bucket.objectLock !== 0;
  checkLockRequest(lock, { objectLockEnabled, now: context.trustedNow });
  if (lock?.legalHold === true) checkLegalHoldPermission(unlockContext(context, bucket, false));
}

/**
 * Returns the date of a new version or upload: the wall time or the trusted time, whichever is later. So a clock that
 * was set back cannot create a version that is already old enough to expire.
 */
export function writtenAt({ now, trustedNow }: CommandContext): number {
  return Math.max(now, trustedNow);
}

/**
 * Returns the time and the privileges for checking a lock. Locks end by the trusted time. Governance retention can be
 * bypassed with full access in the bucket's project (specification, "Authentication" 7).
 */
export function unlockContext(
  { caller: { principal }, trustedNow, clockAheadMs }: CommandContext,
  { project, customer }: BucketRow,
  bypassGovernance: boolean,
): UnlockContext {
  const fullAccess =
    principal.kind === 'user' &&
    principal.fullAccess &&
    principal.project === project &&
    principal.customer === customer;
  return { now: trustedNow, clockAheadMs, bypassGovernance, fullAccess };
}

export function lockColumns(lock: Description['lock']): LockColumns {
  return {
    ...retentionColumns(lock?.retention),
    legalHold: lock?.legalHold === true ? 1 : 0,
    legalHoldStated: lock?.legalHold === undefined ? 0 : 1,
  };
}

function retentionColumns(retention: Retention | undefined) {
  return {
    retentionMode: retention?.mode ?? null,
    retainUntil: retention?.retainUntil ?? null,
  };
}

/**
 * A version to be written. `retainUntilByClock` is the end of its default retention if the wall clock is right. Absent
 * while the wall clock is trusted.
 */
export type Retained<Written> = Written & { readonly retainUntilByClock?: number };

/**
 * Adds the bucket's default retention if the request contains no retention. The retention is stored with the version,
 * so that a later change of the default does not affect it. It begins at the trusted time, so that a clock that is
 * years ahead does not lock the version for years.
 */
export function withDefaultRetention<Written extends LockColumns>(
  asked: Written,
  bucket: BucketRow,
  { now, trustedNow, clockAheadMs }: CommandContext,
): Retained<Written> {
  if (asked.retentionMode !== null || asked.retainUntil !== null) return asked;
  const { defaultRetention } = lockConfiguration(bucket);
  if (defaultRetention === undefined) return asked;
  const added = { ...asked, ...retentionColumns(retentionFrom(defaultRetention, trustedNow)) };
  if (clockAheadMs === 0) return added;
  return { ...added, retainUntilByClock: retentionFrom(defaultRetention, now).retainUntil };
}
