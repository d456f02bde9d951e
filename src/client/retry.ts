/** Decides whether and when a failed call is retried. */

import { isStorageError } from '../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../object-store/transport-error.ts';

export interface Attempt {
  /** The number of the attempt, starting at 1. */
  readonly number: number;
  /** Whether the call may be repeated even if an earlier attempt may have succeeded. */
  readonly isIdempotent: boolean;
  /**
   * Whether the request has conditions. If the first attempt has taken effect, the condition of a retry could fail
   * because of it.
   */
  readonly isGuarded: boolean;
  /** Whether the body can be sent again. */
  readonly repeatable: boolean;
  /** The delay in milliseconds that the service requested with Retry-After. Undefined if it requested none. */
  readonly retryAfterMs: number | undefined;
}

/**
 * The upper bound of the first random delay and of all delays, in milliseconds, and the maximum number of attempts.
 * The upper bound doubles with each failure.
 */
export const REQUEST_RETRY = { firstMs: 100, longestMs: 5_000, attempts: 4 };

/** Error codes for which a retry cannot succeed. */
const LASTING: ReadonlySet<TransportErrorCode> = new Set([
  'BadResponse',
  'HostNotFound',
  'TlsFailed',
]);

/**
 * Returns the delay in milliseconds before the next attempt, or undefined if the call must not be retried. `random`
 * is in [0, 1). The delay is random up to a bound that doubles with each attempt (full jitter), so that many clients
 * do not retry at the same time. The delay is at least the time that the service requested.
 */
export function retryDelay(error: unknown, attempt: Attempt, random: number): number | undefined {
  if (attempt.number >= REQUEST_RETRY.attempts || !attempt.repeatable) return undefined;
  if (!mayRepeat(error, attempt)) return undefined;
  return Math.max(attempt.retryAfterMs ?? 0, backOff(attempt.number, random));
}

/** Returns the delay in milliseconds, with full jitter, after failure number `failures` (starting at 1). */
export function backOff(failures: number, random: number): number {
  const { firstMs, longestMs } = REQUEST_RETRY;
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * random;
}

function mayRepeat(error: unknown, { isIdempotent, isGuarded }: Attempt): boolean {
  if (error instanceof TransportError) {
    return !LASTING.has(error.code) && (isIdempotent || !error.sent);
  }
  // SlowDown means that the service did not execute the request.
  if (isStorageError(error, 'SlowDown')) return true;
  // ServiceUnavailable usually means the same, but the service may also have failed in the middle of the request.
  if (isStorageError(error, 'ServiceUnavailable')) return isIdempotent || !isGuarded;
  return isIdempotent && isStorageError(error, 'InternalError', 'RequestTimeout');
}
