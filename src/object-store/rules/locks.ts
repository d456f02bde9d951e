/** Object lock: what a writer may ask for, and which versions must stay (specification, "Object lock"). */

import type { LockRequest, Retention } from '../object-store.ts';
import { StorageError } from '../storage-error.ts';

/** The last instant that every client can print and read: years have four digits on the wire. */
const MAX_RETAIN_UNTIL = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What the bucket and the moment of the commit say about a lock that is asked for. */
export interface LockContext {
  readonly objectLockEnabled: boolean;
  readonly now: number;
}

/**
 * Whether a write may carry this lock. Throws `InvalidRequest` in a bucket without object lock, even for
 * a legal hold that is off, and `InvalidArgument` for a retention that is malformed or in the past.
 */
export function checkLockRequest(lock: LockRequest | undefined, context: LockContext): void {
  if (lock?.retention === undefined && lock?.legalHold === undefined) return;
  if (!context.objectLockEnabled) {
    throw new StorageError(
      'InvalidRequest',
      'lock object: Bucket is missing Object Lock Configuration; it can only be given when the bucket is created',
    );
  }
  if (lock.retention !== undefined) checkRetention(lock.retention, context.now);
}

/** Throws `AccessDenied`: a legal hold is set by those with full privileges only (specification, "Authentication" 7). */
export function checkLegalHoldRight(lock: LockRequest | undefined, fullAccess: boolean): void {
  if (lock?.legalHold !== true || fullAccess) return;
  throw new StorageError(
    'AccessDenied',
    'lock object: a legal hold needs full privileges on object storage',
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
      'the date must lie before the year 10000',
    );
  }
  if (retainUntil <= now) {
    const [asked, current] = [retainUntil, now].map((at) => new Date(at).toISOString());
    throw badRetention('retain-until-date', `${asked}`, `${asked} must lie after now, ${current}`);
  }
}

function badRetention(name: string, value: string, reason: string): StorageError {
  return new StorageError('InvalidArgument', `lock object: ${reason}`, {
    details: { ArgumentName: `object-lock-${name}`, ArgumentValue: value },
  });
}

/** The locks of a version as they were stored: unknown, since a store may have been damaged. */
export interface StoredLocks {
  readonly retention?: unknown;
  readonly legalHold?: unknown;
}

export interface RemovalContext {
  /** The time that is trusted: a clock that was set ahead must not end a lock. */
  readonly now: number;
  /** How far the wall clock is ahead of it and not believed. */
  readonly clockAheadMs?: number;
  /** Asked for by the caller. It counts only with `fullAccess` (specification, "Authentication" 7). */
  readonly bypassGovernance: boolean;
  readonly fullAccess: boolean;
}

/**
 * Throws `AccessDenied` when the version must not be removed for good. Fails closed: locks that cannot be
 * read, or a time that is no number, count as locked.
 */
export function refuseRemoval(locks: StoredLocks, context: RemovalContext): void {
  const reason = legalHoldReason(locks.legalHold) ?? retentionReason(locks.retention, context);
  if (reason === undefined) return;
  throw new StorageError('AccessDenied', `remove version: forbidden by object lock, ${reason}`);
}

function legalHoldReason(legalHold: unknown): string | undefined {
  if (legalHold === undefined || legalHold === null || legalHold === false) return undefined;
  return legalHold === true ? 'its legal hold is on' : 'its legal hold cannot be read';
}

/** Semantics B.4. */
const CLOCK_NOT_BELIEVED =
  ' (this clock says so, but it jumped ahead and is not believed; if it is right: holdfast store trust-clock)';

function retentionReason(retention: unknown, context: RemovalContext): string | undefined {
  if (retention === undefined || retention === null) return undefined;
  if (!isRetention(retention)) return 'its retention cannot be read';
  if (context.now >= retention.retainUntil) return undefined;
  const { now, clockAheadMs = 0 } = context;
  const isOverByClock = now + clockAheadMs >= retention.retainUntil;
  const until =
    `${retention.mode} until ${new Date(retention.retainUntil).toISOString()}` +
    (isOverByClock ? CLOCK_NOT_BELIEVED : '');
  if (retention.mode === 'COMPLIANCE') return until;
  if (!context.bypassGovernance) return `${until}, unless governance is bypassed`;
  return context.fullAccess
    ? undefined
    : `${until}: the bypass needs full privileges on object storage`;
}

function isRetention(value: unknown): value is Retention {
  if (typeof value !== 'object' || value === null) return false;
  if (!('mode' in value) || !('retainUntil' in value)) return false;
  return isRetentionMode(value.mode) && isInstant(value.retainUntil);
}

function isRetentionMode(value: unknown): boolean {
  return value === 'GOVERNANCE' || value === 'COMPLIANCE';
}

function isInstant(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_RETAIN_UNTIL;
}
