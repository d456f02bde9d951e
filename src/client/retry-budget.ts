/**
 * Limits the retries of all calls of one client together, so that they do not overload a failing
 * service.
 */

/** Maximum number of saved retries. */
const CAPACITY = 100;
/** Retries that one successful call earns: ten calls earn one. */
const EARNED_BY_SUCCESS = 0.1;

export class RetryBudget {
  #left = CAPACITY;

  /** Spends one retry. Returns false if none is left. */
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
