/** Completed sync rounds, as stored in the state and listed by the job. */

export type RoundKind = 'event' | 'full' | 'listing';

/** Totals of the work done. */
export interface RoundTotals {
  readonly versions: number;
  /** Bytes sent. */
  readonly bytes: number;
  readonly deletes: number;
}

export interface FinishedRound {
  /** `event`: single changed paths. `full`: the whole folder. `listing`: the whole folder and a listing of the bucket. */
  readonly kind: RoundKind;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of planned actions. */
  readonly actions: number;
}

export interface RoundRow extends FinishedRound, RoundTotals {
  /** Increases with each row. */
  readonly number: number;
  /** Number of rounds in this row. Only rows of `event` combine several. */
  readonly rounds: number;
}
