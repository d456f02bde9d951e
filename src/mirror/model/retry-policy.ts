/** When failed work is tried again: one table for the mirror and the modules beside it. docs/operating.md has it for users. */

/** The wait doubles with each failure in a row. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

export const RETRY = {
  /** A request of one action whose failure may pass, or whose outcome is unknown; after five, the session fails. */
  action: { firstMs: 100, longestMs: 2 * SECOND },
  /** A file that changes while it is read. */
  busyFile: { firstMs: 250, longestMs: MINUTE },
  /** A path whose upload or delete the service refuses. */
  refusedPath: { firstMs: 10 * SECOND, longestMs: 10 * MINUTE },
  /** A session that failed: the service does not answer, or refuses every request. */
  session: { firstMs: 500, longestMs: MINUTE },
  /** A job that could not be opened. */
  openJob: { firstMs: SECOND, longestMs: MINUTE },
  /** The renewal of locks, while the service does not answer. */
  renewal: { firstMs: 5 * SECOND, longestMs: 30 * MINUTE },
  /** A single lock that could not be extended. It has days left, and what refuses it may last. */
  lock: { firstMs: 10 * MINUTE, longestMs: 12 * HOUR },
} as const satisfies Readonly<Record<string, RetryPolicy>>;

/** How long to wait after failure number `failures` in a row, from 1 on. */
export function backOffMs({ firstMs, longestMs }: RetryPolicy, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
