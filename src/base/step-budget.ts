/**
 * Limits the CPU time that one input can cause. Counts steps instead of time, so that an input is accepted or refused
 * regardless of the machine and its load.
 *
 * A step is about one comparison of two characters: 2 to 5 ns of CPU time in compiled code, so a million steps take
 * less than 5 ms. Code that calls a native function must spend about as many steps as that function needs.
 */

/** The input needs more steps than its budget allows. The caller must refuse the input. */
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

  /** Spends steps. Throws StepLimitError when more steps than the limit were spent, and on every later call. */
  spend(steps = 1): void {
    this.#spent += steps;
    // The condition is negated so that NaN exceeds the limit too.
    if (!(this.#spent <= this.limit)) throw new StepLimitError(this.limit);
  }
}
