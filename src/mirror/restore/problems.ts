/** What goes wrong in a restore: counted in full, told up to a number that fits into one answer. */

import type { Problem } from '../types.ts';

/** Each has a few hundred bytes, and an answer of the daemon at most some megabytes. */
const PROBLEMS_TOLD = 1_000;

export class Problems {
  readonly #told: Problem[] = [];
  #count = 0;

  readonly add = (problem: Problem): void => {
    this.#count++;
    if (this.#told.length < PROBLEMS_TOLD) this.#told.push(problem);
  };

  get count(): number {
    return this.#count;
  }

  get told(): readonly Problem[] {
    return this.#told;
  }
}
