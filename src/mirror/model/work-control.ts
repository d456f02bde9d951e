/** What a job is at, and what it has not done yet, as it may be looked at while it works. */

import type { RoundRow } from './round-record.ts';

export type { RoundRow } from './round-record.ts';

/** Why something is not done yet, what needs a person first. */
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
 * `error`: a problem. `conflict`: both sides changed, and the user decides. `held`: by the brake, or for the user. `drifted`:
 * somebody else changed the object, and the file did not change. `busy`: written to while it was read. `waiting`: seen, and
 * not looked at, on its way, or put off. `retained`: a version that is to be removed, but for its lock.
 */
export type QueueReason = (typeof QUEUE_REASONS)[number];

export interface QueueRow {
  /** Below the folder; that of a folder's object may end in `/`. */
  readonly path: string;
  readonly reason: QueueReason;
  /** For people. */
  readonly detail: string;
  /** When it is tried again, or may be; milliseconds since 1970. */
  readonly until?: number;
}

export interface QueuePage {
  readonly rows: readonly QueueRow[];
  /** Present when there may be more: to be given as `after`. */
  readonly next?: string;
}

export interface WorkControl {
  /** Bytes of a key on its way to the bucket; undefined while it is not on its way. */
  sizeOf(key: string): number | undefined;
  /** Whether a round is looking still, so that more may be found to be done. */
  isLooking(): boolean;
  /** Of one reason or of all, in the order of `QUEUE_REASONS`, and of the bytes of keys within each. */
  queue(page: {
    readonly reason?: QueueReason;
    readonly after?: string;
    readonly limit: number;
  }): QueuePage;
  /** Rounds that are over, the newest first: those before that number. */
  rounds(page: { readonly limit: number; readonly before?: number }): readonly RoundRow[];
  /** How many rows each reason has. */
  queueCounts(): Readonly<Record<QueueReason, number>>;
}
