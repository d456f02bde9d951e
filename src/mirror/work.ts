/** What a job is at, as it may be looked at while it works. */

export interface WorkControl {
  /** Bytes of a key on its way to the bucket; undefined while it is not on its way. */
  sizeOf(key: string): number | undefined;
  /** Whether a round is looking still, so that more may be found to be done. */
  isLooking(): boolean;
}
