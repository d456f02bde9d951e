/** How many repetitions the calls of one client may spend together: a dead service is not hammered by each of them. */

/** So many calls may fail at once and still be made again. */
const CAPACITY = 100;
/** Of what succeeds at once, one in ten may be followed by a repetition. */
const EARNED_BY_SUCCESS = 0.1;

export class RetryBudget {
  #left = CAPACITY;

  /** Whether one more repetition may be made; it is then spent. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A call succeeded: the service lives. */
  earn(): void {
    this.#left = Math.min(CAPACITY, this.#left + EARNED_BY_SUCCESS);
  }
}
