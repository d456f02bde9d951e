/** Decides whether and when a failed call is retried. */

import { isStorageError } from '../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../object-store/transport-error.ts';

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Idempotent: may be retried even if the first attempt may have succeeded. */
  readonly isIdempotent: boolean;
  /** Whether it is a conditional write, whose retry could fail because of its own first effect. */
  readonly isGuarded: boolean;
  /** Whether the body can be sent again. */
  readonly repeatable: boolean;
  /** Wait that the service requested by Retry-After. */
  readonly retryAfterMs: number | undefined;
}

/** Limits of the random wait, whose upper bound doubles with each failure. */
export const REQUEST_RETRY = { firstMs: 100, longestMs: 5_000, attempts: 4 };

/** Errors that no retry fixes. */
const LASTING: ReadonlySet<TransportErrorCode> = new Set([
  'BadResponse',
  'HostNotFound',
  'TlsFailed',
]);

/**
 * Returns the milliseconds to wait before the next attempt; undefined if the call must not be retried. `random` is in
 * [0, 1): the delay is random up to a bound that doubles with each attempt (full jitter), so that many clients do not
 * retry at the same time. It is at least the time that the service requested.
 */
export function retryDelay(error: unknown, attempt: Attempt, random: number): number | undefined {
  if (attempt.number >= REQUEST_RETRY.attempts || !attempt.repeatable) return undefined;
  if (!mayRepeat(error, attempt)) return undefined;
  return Math.max(attempt.retryAfterMs ?? 0, backOff(attempt.number, random));
}

/** Returns the delay with full jitter after failure number `failures`, which starts at 1. */
export function backOff(failures: number, random: number): number {
  const { firstMs, longestMs } = REQUEST_RETRY;
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * random;
}

function mayRepeat(error: unknown, { isIdempotent, isGuarded }: Attempt): boolean {
  if (error instanceof TransportError) {
    return !LASTING.has(error.code) && (isIdempotent || !error.sent);
  }
  // SlowDown means that the service did nothing.
  if (isStorageError(error, 'SlowDown')) return true;
  // So does ServiceUnavailable, unless the service failed in the middle of the request.
  if (isStorageError(error, 'ServiceUnavailable')) return isIdempotent || !isGuarded;
  return isIdempotent && isStorageError(error, 'InternalError', 'RequestTimeout');
}
