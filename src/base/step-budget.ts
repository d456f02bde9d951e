/**
 * Limits the work that one input may cause. It counts steps and never time, so that the same input has the same outcome
 * on every machine and under every load.
 *
 * A step is about one comparison of two characters: 2 to 5 ns of CPU in compiled code, so that a million steps take
 * less than 5 ms. Code that calls a native function spends about what that function does.
 */

/** The input needs more steps than its budget permits. The caller must refuse the input. */
export class StepLimitError extends Error {
  override readonly name = 'StepLimitError';
  readonly limit: number;

  constructor(limit: number) {
    super(`more than ${limit} steps`);
    this.limit = limit;
  }
}

export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws StepLimitError once more than the limit was spent, and at every later call. */
  spend(steps = 1): void {
    this.#spent += steps;
    // Written so that NaN exceeds the limit too.
    if (!(this.#spent <= this.limit)) throw new StepLimitError(this.limit);
  }
}
