/**
 * Limits the retries of all calls of a client together, so that the retries do not overload a
 * failing service.
 */

/** The maximum number of retries that the budget can hold. */
const CAPACITY = 100;
/** The number of retries that a successful call adds. Ten successful calls add one retry. */
const EARNED_BY_SUCCESS = 0.1;

export class RetryBudget {
  #left = CAPACITY;

  /** Takes one retry from the budget. Returns false if the budget is exhausted. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Adds EARNED_BY_SUCCESS to the budget after a successful call. */
  earn(): void {
    this.#left = Math.min(CAPACITY, this.#left + EARNED_BY_SUCCESS);
  }
}
