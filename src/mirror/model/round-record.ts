/** Defines the records of finished sync rounds. The job's state stores them, and users can list them. */

export type RoundKind = 'event' | 'full' | 'listing';

/** Totals of the uploads, deletes and bytes in sync rounds. */
export interface RoundTotals {
  readonly versions: number;
  /** Number of uploaded bytes. */
  readonly bytes: number;
  readonly deletes: number;
}

export interface FinishedRound {
  /**
   * Scope of the round. `event`: single changed paths. `full`: the whole folder. `listing`: the whole folder and a
   * listing of the bucket.
   */
  readonly kind: RoundKind;
  /** When the round started, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of actions that the round planned. */
  readonly actions: number;
}

/** A page of the history, newest first. */
export interface RoundPage {
  readonly limit: number;
  /** The sequence number of the last row of the previous page. */
  readonly before?: number;
  /** Omits rounds without uploads and deletes. */
  readonly onlyChanges?: boolean;
}

export interface RoundRow extends FinishedRound, RoundTotals {
  /** Sequence number of the row. Later rows have higher numbers. */
  readonly number: number;
  /** Number of rounds that this row represents. Only rows of kind `event` combine several rounds. */
  readonly rounds: number;
}
