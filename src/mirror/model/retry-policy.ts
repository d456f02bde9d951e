/**
 * Declares when failed work is retried, for the mirror and the modules beside it. docs/reference/retries.md documents it for
 * users.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts';

/** A retry policy. The wait doubles with each consecutive failure, up to `longestMs`. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Number of attempts after which the work fails; absent for unlimited attempts. */
  readonly attempts?: number;
}

/** Returns a policy whose wait does not grow. */
const every = (ms: number) => ({ firstMs: ms, longestMs: ms });

export const RETRY = {
  /**
   * Retries of a request whose failure may be temporary or whose outcome is unknown. After these attempts, the session
   * fails.
   */
  action: { firstMs: 100, longestMs: 2 * SECOND_MS, attempts: 5 },
  /**
   * Retries of an upload whose stored bytes differ from those sent. After these attempts, its path waits like a refused
   * one.
   */
  damagedUpload: { ...every(0), attempts: 3 },
  /** Retries of a file that changes while it is read. */
  busyFile: { firstMs: 250, longestMs: MINUTE_MS },
  /** Retries of a path whose upload or delete the service refuses. */
  refusedPath: { firstMs: 10 * SECOND_MS, longestMs: 10 * MINUTE_MS },
  /** Retries of a session that failed because the service does not answer or refuses every request. */
  session: { firstMs: 500, longestMs: MINUTE_MS },
  /**
   * Retries of a session with a service whose responses are not S3. It is another program or lacks a required
   * operation, which quick retries do not change.
   */
  notS3: every(15 * MINUTE_MS),
  /**
   * Retries of a session whose root folder is missing. The wait is short, so that a reconnected disk is noticed soon.
   */
  rootMissing: every(5 * SECOND_MS),
  /** Retries of opening a job. */
  openJob: { firstMs: SECOND_MS, longestMs: MINUTE_MS },
  /** Retries of lock renewal while the service does not answer. */
  renewal: { firstMs: 5 * SECOND_MS, longestMs: 30 * MINUTE_MS },
  /**
   * Retries of the extension of a single lock. The lock still has days left, and the reason of the failure may last.
   */
  lock: { firstMs: 10 * MINUTE_MS, longestMs: 12 * HOUR_MS },
  /** Retries of the removal of a version. */
  removal: every(HOUR_MS),
  /**
   * Retries of the removal of a version that a legal hold retains, or that was refused for a reason without a known
   * end.
   */
  refusedRemoval: every(DAY_MS),
  /** Retries of the check of damaged versions if it failed for one of them. */
  damageCheck: every(MINUTE_MS),
  /**
   * Retries for a damaged version that was uploaded again and read back damaged. After these attempts, the service
   * itself is assumed to damage uploads.
   */
  damagedVersion: { ...every(SECOND_MS), attempts: 3 },
} as const satisfies Readonly<Record<string, RetryPolicy>>;

/** Returns the wait in milliseconds after `failures` consecutive failures, which is 1 or more. */
export function backOffMs({ firstMs, longestMs }: RetryPolicy, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
