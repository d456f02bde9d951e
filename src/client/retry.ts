/** The one decision whether a failed call is made again, and when. */

import { isStorageError } from '../object-store/storage-error.ts';
import { TransportError } from '../object-store/transport-error.ts';

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** GET and HEAD: they change nothing, however often they are made. */
  readonly isRead: boolean;
  /** A write with conditions: made again, it would meet its own first effect. */
  readonly isGuarded: boolean;
  /** Whether the body can be given once more. */
  readonly repeatable: boolean;
}

const MAX_ATTEMPTS = 4;
const BASE_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/**
 * Milliseconds to wait before the next attempt; undefined when the error stands. `random` is in [0, 1): the
 * delay is anything up to the doubled one, so that many clients do not come back at once.
 */
export function retryDelay(error: unknown, attempt: Attempt, random: number): number | undefined {
  if (attempt.number >= MAX_ATTEMPTS || !attempt.repeatable) return undefined;
  if (!mayRepeat(error, attempt)) return undefined;
  return Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempt.number - 1)) * (0.5 + random / 2);
}

function mayRepeat(error: unknown, { isRead, isGuarded }: Attempt): boolean {
  if (error instanceof TransportError) {
    if (error.code === 'HostNotFound' || error.code === 'TlsFailed') return false;
    return isRead || !error.sent;
  }
  // An answer of the service: it says that nothing was done, unless it failed in the middle.
  if (isStorageError(error, 'SlowDown', 'ServiceUnavailable')) return isRead || !isGuarded;
  return isRead && isStorageError(error, 'InternalError');
}
