/** Declares read access to a job's queue and to its finished rounds while the job runs. */

import type { FileInFlight } from '../../base/files-in-flight.ts';
import type { RoundRow } from './round-record.ts';

export type { RoundRow } from './round-record.ts';

/** Reasons why work is pending. Reasons that need a user come first. */
export const QUEUE_REASONS = [
  'error',
  'conflict',
  'held',
  'drifted',
  'busy',
  'waiting',
  'retained',
] as const;

/**
 * Why work is pending. `error`: a problem. `conflict`: both sides changed, and the user must decide. `held`: held for
 * review, or until the user decides. `drifted`: another client changed the object, and the file did not change. `busy`:
 * the file was written to while it was read. `waiting`: noticed, but not scanned yet, in transfer or deferred.
 * `retained`: a version that cannot be removed until its lock ends.
 */
export type QueueReason = (typeof QUEUE_REASONS)[number];

export interface QueueRow {
  /** Path relative to the job's folder. The path of a folder's object may end in `/`. */
  readonly path: string;
  readonly reason: QueueReason;
  /** Explanation for the user. */
  readonly detail: string;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly until?: number;
}

export interface QueuePage {
  readonly rows: readonly QueueRow[];
  /** Cursor to pass as `after` for the next page; present if there may be more rows. */
  readonly next?: string;
}

export interface WorkControl {
  /** Returns the size of the key's transfer in progress; undefined if there is none. */
  sizeOf(key: string): number | undefined;
  /**
   * Returns the number of files that the running scan has found, so that more work may be found; undefined if no round is
   * scanning.
   */
  scannedFiles(): number | undefined;
  /**
   * Returns about how many files the running scan will find, by the files that are mirrored; undefined if no round is
   * scanning, or if no full round has finished yet.
   */
  expectedFiles(): number | undefined;
  /** Returns the largest file that is read before its upload; undefined if no large file is. */
  largestRead(): FileInFlight | undefined;
  /**
   * Returns the rows of one reason, or of all reasons in the order of `QUEUE_REASONS`; within a reason, in byte order
   * of the keys.
   */
  queue(page: {
    readonly reason?: QueueReason;
    readonly after?: string;
    readonly limit: number;
  }): QueuePage;
  /** Returns finished rounds with a number below `before`, newest first. */
  rounds(page: { readonly limit: number; readonly before?: number }): readonly RoundRow[];
  /** Returns the number of rows for each reason. */
  queueCounts(): Readonly<Record<QueueReason, number>>;
}
