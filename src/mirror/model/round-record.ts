/** Sync rounds that are over, as the state keeps them and the job lists them. */

export type RoundKind = 'event' | 'full' | 'listing';

/** What was done, and counted. */
export interface RoundTotals {
  readonly versions: number;
  /** Sent. */
  readonly bytes: number;
  readonly deletes: number;
}

export interface FinishedRound {
  /** `event`: of single changes. `listing`: full, with the bucket listed, too. */
  readonly kind: RoundKind;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What was found to be done. */
  readonly actions: number;
}

export interface RoundRow extends FinishedRound, RoundTotals {
  /** Grows with time. */
  readonly number: number;
  /** More than one of `event`. */
  readonly rounds: number;
}
