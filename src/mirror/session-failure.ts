/** Determines a job's status after a failed session, and how long the job waits before the next one. */

import { diskErrorLine, failureReason } from '../base/disk-error.ts';
import { TransportError } from '../object-store/transport-error.ts';
import { MirrorError } from './model/mirror-error.ts';
import { backOffMs, RETRY, type RetryPolicy } from './model/retry-policy.ts';
import type { Standstill } from './model/types.ts';

export const LONGEST_REST_MS = RETRY.session.longestMs;
/** Number of quick retries after responses that are not S3, because a proxy may have sent them temporarily. */
const QUICK_RETRIES = 5;

export interface SessionFailure {
  readonly reason: string;
  readonly standstill: Standstill;
  readonly waitMs: number;
  /** Whether the session failed because the root folder is missing or was replaced. */
  readonly isRoot: boolean;
}

/** Returns how long a job waits after `failures` consecutive failed sessions, in milliseconds. */
export function restMs(
  error: unknown,
  failures: number,
  policy: RetryPolicy = RETRY.session,
): number {
  const isUnusable = error instanceof TransportError && error.code === 'BadResponse';
  return backOffMs(isUnusable && failures > QUICK_RETRIES ? RETRY.notS3 : policy, failures);
}

export function retryText(waitMs: number, job: string): string {
  return waitMs === RETRY.notS3.firstMs
    ? `retrying in 15 min; to retry now: \`holdfast job run ${job}\``
    : `retrying in ${Math.ceil(waitMs / 1_000)} s`;
}

/**
 * Describes a failed session of the job with this name. `failures` is the number of failed sessions since the last
 * round, including this one.
 */
export function describeFailure(error: unknown, failures: number, job: string): SessionFailure {
  const code = error instanceof MirrorError ? error.code : undefined;
  const reason = diskErrorLine(error) ?? failureReason(error);
  if (code === 'RootMissing') {
    const standstill = { state: 'root missing', reason } as const;
    return { reason, standstill, waitMs: RETRY.rootMissing.firstMs, isRoot: true };
  }
  const waitMs = restMs(error, failures);
  if (code === 'ClockDiffers')
    return { reason, standstill: { state: 'clock', reason }, waitMs, isRoot: false };
  const tried = `${reason}; ${retryText(waitMs, job)}`;
  return { reason, standstill: { state: 'failed', reason: tried }, waitMs, isRoot: false };
}
