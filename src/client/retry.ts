/** The one decision whether a failed call is made again, and when. */

import { isStorageError } from '../object-store/storage-error.ts';
import { TransportError, type TransportErrorCode } from '../object-store/transport-error.ts';

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Made twice it does what it does once: it may be repeated even when nobody knows whether it was done. */
  readonly isIdempotent: boolean;
  /** A write with conditions: made again, it could meet its own first effect. */
  readonly isGuarded: boolean;
  /** Whether the body can be given once more. */
  readonly repeatable: boolean;
  /** What the service asked for by Retry-After. */
  readonly retryAfterMs: number | undefined;
}

/** The upper bound of the random wait doubles with each failure. */
export const REQUEST_RETRY = { firstMs: 100, longestMs: 5_000, attempts: 4 };

/** Waiting mends none of these. */
const LASTING: ReadonlySet<TransportErrorCode> = new Set([
  'BadResponse',
  'HostNotFound',
  'TlsFailed',
]);

/**
 * Milliseconds to wait before the next attempt; undefined when the error stands. `random` is in [0, 1): the delay
 * is anything up to one that doubles with each attempt (full jitter), so that many clients do not come back at
 * once, and never less than the service asked for.
 */
export function retryDelay(error: unknown, attempt: Attempt, random: number): number | undefined {
  if (attempt.number >= REQUEST_RETRY.attempts || !attempt.repeatable) return undefined;
  if (!mayRepeat(error, attempt)) return undefined;
  return Math.max(attempt.retryAfterMs ?? 0, backOff(attempt.number, random));
}

/** Full jitter after failure number `failures`, from 1 on. */
export function backOff(failures: number, random: number): number {
  const { firstMs, longestMs } = REQUEST_RETRY;
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * random;
}

function mayRepeat(error: unknown, { isIdempotent, isGuarded }: Attempt): boolean {
  if (error instanceof TransportError) {
    return !LASTING.has(error.code) && (isIdempotent || !error.sent);
  }
  // It says that nothing was done.
  if (isStorageError(error, 'SlowDown')) return true;
  // So does this, unless it failed in the middle.
  if (isStorageError(error, 'ServiceUnavailable')) return isIdempotent || !isGuarded;
  return isIdempotent && isStorageError(error, 'InternalError', 'RequestTimeout');
}
