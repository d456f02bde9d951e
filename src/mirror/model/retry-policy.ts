/**
 * Defines when failed work is retried, for the mirror and related modules. docs/reference/retries.md documents the
 * values for users.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts';

/** A retry policy. The delay doubles after each consecutive failure, up to `longestMs`. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Number of attempts before the work fails; absent if the number is unlimited. */
  readonly attempts?: number;
}

/** Returns a policy with a constant delay. */
const every = (ms: number) => ({ firstMs: ms, longestMs: ms });

export const RETRY = {
  /**
   * Retries a request whose failure may be temporary or whose outcome is unknown. After these attempts, the session
   * fails.
   */
  action: { firstMs: 100, longestMs: 2 * SECOND_MS, attempts: 5 },
  /**
   * Retries an upload whose stored content differs from the sent content. After these attempts, the path is retried as
   * if the service had refused it.
   */
  damagedUpload: { ...every(0), attempts: 3 },
  /** Retries a file that changes while it is read. */
  busyFile: { firstMs: 250, longestMs: MINUTE_MS },
  /** Retries a path for which the service refuses the upload or delete. */
  refusedPath: { firstMs: 10 * SECOND_MS, longestMs: 10 * MINUTE_MS },
  /** Retries a session that failed because the service does not respond or refuses every request. */
  session: { firstMs: 500, longestMs: MINUTE_MS },
  /**
   * Retries a session after responses that are not S3. The server is another program or lacks a required operation, so
   * quick retries would not help.
   */
  notS3: every(15 * MINUTE_MS),
  /**
   * Retries a session whose root folder is missing. The delay is short, so that the job soon notices a reconnected
   * disk.
   */
  rootMissing: every(5 * SECOND_MS),
  /** Retries opening a job. */
  openJob: { firstMs: SECOND_MS, longestMs: MINUTE_MS },
  /** Retries the renewal of locks while the service does not respond. */
  renewal: { firstMs: 5 * SECOND_MS, longestMs: 30 * MINUTE_MS },
  /**
   * Retries the renewal of one lock. The lock still lasts for days, and the cause of the failure may not go away soon.
   */
  lock: { firstMs: 10 * MINUTE_MS, longestMs: 12 * HOUR_MS },
  /** Retries the removal of a version. */
  removal: every(HOUR_MS),
  /**
   * Retries the removal of a version that a legal hold protects, or that the service refuses for a reason without a
   * known end.
   */
  refusedRemoval: every(DAY_MS),
  /** Retries the check of damaged versions if it failed for one version. */
  damageCheck: every(MINUTE_MS),
  /**
   * Retries the upload of a damaged version that was uploaded again and read back damaged. After these attempts, the
   * service itself is assumed to damage uploads.
   */
  damagedVersion: { ...every(SECOND_MS), attempts: 3 },
} as const satisfies Readonly<Record<string, RetryPolicy>>;

/** Returns the delay in milliseconds after `failures` consecutive failures (at least 1). */
export function backOffMs({ firstMs, longestMs }: RetryPolicy, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
