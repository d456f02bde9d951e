/** When failed work is tried again: one table for the mirror and the modules beside it. docs/operating.md has it for users. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts';

/** The wait doubles with each failure in a row. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The work ends after this many attempts; without it, never. */
  readonly attempts?: number;
}

/** The wait does not grow. */
const every = (ms: number) => ({ firstMs: ms, longestMs: ms });

export const RETRY = {
  /** A request of one action whose failure may pass, or whose outcome is unknown. After these, the session fails. */
  action: { firstMs: 100, longestMs: 2 * SECOND_MS, attempts: 5 },
  /** An upload whose stored bytes differ from those sent. After these, its path waits like a refused one. */
  damagedUpload: { ...every(0), attempts: 3 },
  /** A file that changes while it is read. */
  busyFile: { firstMs: 250, longestMs: MINUTE_MS },
  /** A path whose upload or delete the service refuses. */
  refusedPath: { firstMs: 10 * SECOND_MS, longestMs: 10 * MINUTE_MS },
  /** A session that failed: the service does not answer, or refuses every request. */
  session: { firstMs: 500, longestMs: MINUTE_MS },
  /** A service whose answers are not S3 is another program, or lacks what a job needs; retrying changes neither. */
  notS3: every(15 * MINUTE_MS),
  /** A session whose root folder is missing. A disk that is plugged in again is noticed soon. */
  rootMissing: every(5 * SECOND_MS),
  /** A job that could not be opened. */
  openJob: { firstMs: SECOND_MS, longestMs: MINUTE_MS },
  /** The renewal of locks, while the service does not answer. */
  renewal: { firstMs: 5 * SECOND_MS, longestMs: 30 * MINUTE_MS },
  /** A single lock that could not be extended. It has days left, and what refuses it may last. */
  lock: { firstMs: 10 * MINUTE_MS, longestMs: 12 * HOUR_MS },
  /** The removal of a version that failed. */
  removal: every(HOUR_MS),
  /** The removal of a version that is under a legal hold, or refused for a reason without a known end. */
  refusedRemoval: every(DAY_MS),
  /** The check of damaged versions, if it failed for one of them. */
  damageCheck: every(MINUTE_MS),
  /** A damaged version that is sent again and read back damaged. After these, the service itself damages uploads. */
  damagedVersion: { ...every(SECOND_MS), attempts: 3 },
} as const satisfies Readonly<Record<string, RetryPolicy>>;

/** How long to wait after failure number `failures` in a row, from 1 on. */
export function backOffMs({ firstMs, longestMs }: RetryPolicy, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
