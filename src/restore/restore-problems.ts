/** Collects a restore's problems. Counts all of them, and stores as many as fit into a response. */

import type { Problem } from '../mirror/model/types.ts';

/**
 * Maximum number of stored problems. A problem takes a few hundred bytes, and a response from the daemon is limited to
 * some megabytes.
 */
const PROBLEMS_KEPT = 1_000;

export class Problems {
  readonly #first: Problem[] = [];
  readonly #counts = new Map<Problem['code'], number>();

  readonly add = (problem: Problem): void => {
    this.#counts.set(problem.code, this.countOf(problem.code) + 1);
    if (this.#first.length < PROBLEMS_KEPT) this.#first.push(problem);
  };

  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  countOf(code: Problem['code']): number {
    return this.#counts.get(code) ?? 0;
  }

  get first(): readonly Problem[] {
    return this.#first;
  }
}
