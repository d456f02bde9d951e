/** Declares the records of finished sync rounds, which are stored in the state and listed for the user. */

export type RoundKind = 'event' | 'full' | 'listing';

/** Totals of the work that rounds have done. */
export interface RoundTotals {
  readonly versions: number;
  /** Number of bytes uploaded. */
  readonly bytes: number;
  readonly deletes: number;
}

export interface FinishedRound {
  /** `event`: single changed paths. `full`: the whole folder. `listing`: the whole folder and a listing of the bucket. */
  readonly kind: RoundKind;
  /** Start time in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Number of planned actions. */
  readonly actions: number;
}

export interface RoundRow extends FinishedRound, RoundTotals {
  /** Sequence number, which increases with each row. */
  readonly number: number;
  /** Number of rounds in this row. Only rows of kind `event` combine several rounds. */
  readonly rounds: number;
}
