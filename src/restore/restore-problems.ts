/** What goes wrong in a restore: counted in full, told up to a number that fits into one answer. */

import type { Problem } from '../mirror/model/types.ts';

/** Each has a few hundred bytes, and an answer of the daemon at most some megabytes. */
const PROBLEMS_TOLD = 1_000;

export class Problems {
  readonly #told: Problem[] = [];
  readonly #counts = new Map<Problem['code'], number>();

  readonly add = (problem: Problem): void => {
    this.#counts.set(problem.code, this.countOf(problem.code) + 1);
    if (this.#told.length < PROBLEMS_TOLD) this.#told.push(problem);
  };

  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  countOf(code: Problem['code']): number {
    return this.#counts.get(code) ?? 0;
  }

  get told(): readonly Problem[] {
    return this.#told;
  }
}
