/** Defines read access to a running job's queue and finished rounds. */

import type { FileInFlight } from '../../base/files-in-flight.ts';
import type { RoundPage, RoundRow } from './round-record.ts';

export type { RoundRow } from './round-record.ts';

/** Reasons why work is pending. Reasons that require action from the user come first. */
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
 * Why work is pending.
 * - `error`: the path has a problem.
 * - `conflict`: both sides changed, and the user must decide.
 * - `held`: the change is held until the user reviews or decides it.
 * - `drifted`: another client changed the object, and the file did not change.
 * - `busy`: the file was written to while it was read.
 * - `waiting`: the change is not scanned yet, deferred or in transfer.
 * - `retained`: a version cannot be removed until its lock ends.
 */
export type QueueReason = (typeof QUEUE_REASONS)[number];

export interface QueueRow {
  /** Path relative to the job's folder. The path of an object that represents a folder may end in `/`. */
  readonly path: string;
  readonly reason: QueueReason;
  /** Explanation of the reason for the user. */
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
  /** Returns the size of the key's transfer in progress; undefined if no transfer is running. */
  sizeOf(key: string): number | undefined;
  /**
   * Returns the number of files that the running scan has found so far; undefined if no round is scanning. While it is
   * defined, more work may be found.
   */
  scannedFiles(): number | undefined;
  /**
   * Estimates how many files the running scan will find, from the number of mirrored files. Undefined if no round is
   * scanning or no full round has finished yet.
   */
  expectedFiles(): number | undefined;
  /** Returns the largest file that is being read before its upload; undefined if no large file is being read. */
  largestRead(): FileInFlight | undefined;
  /**
   * Returns the queue's rows for one reason, or for all reasons in the order of `QUEUE_REASONS`. Rows with the same
   * reason are in byte order of their keys.
   */
  queue(page: {
    readonly reason?: QueueReason;
    readonly after?: string;
    readonly limit: number;
  }): QueuePage;
  /** Returns finished rounds, newest first. */
  rounds(page: RoundPage): readonly RoundRow[];
  /** Returns the number of queue rows for each reason. */
  queueCounts(): Readonly<Record<QueueReason, number>>;
}
