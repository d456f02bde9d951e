/** The retries that all calls of one client share, so that a dead service is not hammered by each of them. */

/** Maximum number of saved retries. */
const CAPACITY = 100;
/** One retry is earned by ten successful calls. */
const EARNED_BY_SUCCESS = 0.1;

export class RetryBudget {
  #left = CAPACITY;

  /** Spends one retry. Returns false if none is left. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Earns a part of a retry by a successful call. */
  earn(): void {
    this.#left = Math.min(CAPACITY, this.#left + EARNED_BY_SUCCESS);
  }
}
