/** Validates the locks in a request, and decides which versions may be deleted (specification, "Object lock"). */

import type { LockRequest, Retention } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';

/**
 * The latest end of a retention that every client can read and write, because years have four digits in the protocol.
 */
const MAX_RETAIN_UNTIL = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The bucket's Object Lock setting and the commit time, with which a requested lock is checked. */
export interface LockContext {
  readonly objectLockEnabled: boolean;
  readonly now: number;
}

/**
 * Validates the lock in a write request. Throws `InvalidRequest` in a bucket without Object Lock, even for a legal hold
 * that is off. Throws `InvalidArgument` for a retention that is malformed or in the past.
 */
export function checkLockRequest(lock: LockRequest | undefined, context: LockContext): void {
  if (lock?.retention === undefined && lock?.legalHold === undefined) return;
  checkLockBucket(context);
  if (lock.retention !== undefined) checkRetention(lock.retention, context.now);
}

/** Throws `InvalidRequest` if the bucket has no Object Lock, so that its versions cannot have locks. */
export function checkLockBucket({
  objectLockEnabled,
}: Pick<LockContext, 'objectLockEnabled'>): void {
  if (objectLockEnabled) return;
  throw new StorageError(
    'InvalidRequest',
    'lock object: Bucket is missing Object Lock Configuration; Object Lock can only be enabled when a bucket is created',
  );
}

/**
 * Throws `AccessDenied` unless the caller has full access, which setting a legal hold requires (specification,
 * "Authentication" 7).
 */
export function checkLegalHoldPermission({ fullAccess }: Pick<UnlockContext, 'fullAccess'>): void {
  if (fullAccess) return;
  throw new StorageError(
    'AccessDenied',
    'lock object: a legal hold requires full privileges on object storage',
  );
}

function checkRetention({ mode, retainUntil }: Retention, now: number): void {
  if (!isRetentionMode(mode)) {
    throw badRetention('mode', mode, 'the mode must be GOVERNANCE or COMPLIANCE');
  }
  if (!isInstant(retainUntil)) {
    throw badRetention(
      'retain-until-date',
      String(retainUntil),
      'the date must be a valid date before the year 10000',
    );
  }
  if (retainUntil <= now) {
    const [requested, current] = [retainUntil, now].map((at) => new Date(at).toISOString());
    throw badRetention(
      'retain-until-date',
      `${requested}`,
      `${requested} is not after the current time, ${current}`,
    );
  }
}

function badRetention(name: string, value: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `lock object: ${reason}`, {
    details: { ArgumentName: `object-lock-${name}`, ArgumentValue: value },
  });
}

/** The stored locks of a version. Their types are unknown, because the database may be damaged. */
export interface StoredLocks {
  readonly retention?: unknown;
  readonly legalHold?: unknown;
}

/** The time and the caller's privileges, which decide whether a lock can be changed or bypassed. */
export interface UnlockContext {
  /** The trusted time. If the wall clock were used, setting it ahead could end a lock. */
  readonly now: number;
  /** The milliseconds by which the wall clock is ahead of the trusted time. */
  readonly clockAheadMs?: number;
  /**
   * Whether the caller requests to bypass governance retention. Ignored without `fullAccess` (specification,
   * "Authentication" 7).
   */
  readonly bypassGovernance: boolean;
  readonly fullAccess: boolean;
}

/**
 * Throws `AccessDenied` if a lock prevents permanent deletion of the version. If the locks cannot be read or the time
 * is not a number, the version counts as locked.
 */
export function refuseRemoval(locks: StoredLocks, context: UnlockContext): void {
  const reason = lockReason(locks, context);
  if (reason === undefined) return;
  throw new StorageError(
    'AccessDenied',
    `cannot remove the version: forbidden by object lock, ${reason}`,
  );
}

/**
 * Returns why a lock prevents permanent deletion of the version, or undefined if no lock does. If the locks cannot be
 * read or the time is not a number, the version counts as locked.
 */
export function lockReason(locks: StoredLocks, context: UnlockContext): string | undefined {
  return legalHoldReason(locks.legalHold) ?? removalReason(locks.retention, context);
}

/**
 * Throws `AccessDenied` if the version's retention may not be changed to `requested`, which the caller must have
 * validated. A retention that has not ended can be extended; in governance mode, extending it requires full access. Any
 * other change requires the permission to bypass governance retention, and is impossible in compliance mode
 * (specification, "Locks"). If the retention cannot be read or the time is not a number, the version counts as locked.
 */
export function refuseRetentionChange(
  stored: unknown,
  requested: Retention,
  context: UnlockContext,
): void {
  const reason = changeReason(stored, requested, context);
  if (reason === undefined) return;
  throw new StorageError(
    'AccessDenied',
    `cannot change the retention: forbidden by object lock, ${reason}`,
  );
}

function legalHoldReason(legalHold: unknown): string | undefined {
  if (legalHold === undefined || legalHold === null || legalHold === false) return undefined;
  return legalHold === true
    ? 'its legal hold is on; lift it first (holdfast lock hold off)'
    : 'its legal hold cannot be read';
}

const UNREADABLE = 'its retention cannot be read';

function removalReason(stored: unknown, context: UnlockContext): string | undefined {
  const held = heldRetention(stored, context);
  if (held === undefined) return undefined;
  if (held === 'unreadable') return UNREADABLE;
  return held.mode === 'COMPLIANCE'
    ? `${describeRetention(held, context)}: no user can remove it before then`
    : bypassReason(held, context);
}

function changeReason(
  stored: unknown,
  requested: Retention,
  context: UnlockContext,
): string | undefined {
  const held = heldRetention(stored, context);
  if (held === undefined) return undefined;
  if (held === 'unreadable') return UNREADABLE;
  const extended = requested.mode === held.mode && requested.retainUntil >= held.retainUntil;
  if (held.mode === 'COMPLIANCE') {
    return extended
      ? undefined
      : `${describeRetention(held, context)}: the retention can only be extended (holdfast lock retention extend)`;
  }
  if (!context.fullAccess) {
    return `${describeRetention(held, context)}: changing the retention requires full privileges on object storage`;
  }
  return extended ? undefined : bypassReason(held, context);
}

/**
 * Returns the retention that has not ended. Returns undefined if the version has none, and 'unreadable' for an invalid
 * stored value, which counts as a lock.
 */
function heldRetention(
  stored: unknown,
  { now }: UnlockContext,
): Retention | 'unreadable' | undefined {
  if (stored === undefined || stored === null) return undefined;
  if (!isRetention(stored)) return 'unreadable';
  return now >= stored.retainUntil ? undefined : stored;
}

function bypassReason(held: Retention, context: UnlockContext): string | undefined {
  if (!context.bypassGovernance)
    return `${describeRetention(held, context)}, unless governance is bypassed (--bypass-governance)`;
  if (context.fullAccess) return undefined;
  return `${describeRetention(held, context)}: bypassing governance requires full privileges on object storage`;
}

const CLOCK_NOT_TRUSTED =
  ' (the clock of this machine is later, but it jumped ahead and is not trusted; if it is correct: holdfast admin store trust-clock)';

function describeRetention(
  { mode, retainUntil }: Retention,
  { now, clockAheadMs = 0 }: UnlockContext,
): string {
  const until = `${mode} until ${new Date(retainUntil).toISOString()}`;
  return now + clockAheadMs >= retainUntil ? until + CLOCK_NOT_TRUSTED : until;
}

function isRetention(value: unknown): value is Retention {
  if (typeof value !== 'object' || value === null) return false;
  if (!('mode' in value) || !('retainUntil' in value)) return false;
  return isRetentionMode(value.mode) && isInstant(value.retainUntil);
}

export function isRetentionMode(value: unknown): boolean {
  return value === 'GOVERNANCE' || value === 'COMPLIANCE';
}

function isInstant(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_RETAIN_UNTIL;
}
