/**
 * Limits the work for an access decision: the number of steps, and the length of the request values that policies
 * compare.
 */

import { StepBudget } from '../../../base/step-budget.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';

/**
 * The step budget of one access decision, about 2 ms of CPU time. A policy with 200 typical patterns needs less than
 * half of it for values of 1,024 characters.
 */
export const DECISION_STEPS = 400_000;

/** The maximum length of a request value that policies compare, in characters. No object key is longer. */
export const MAX_COMPARED_CHARACTERS = 1024;

/** The error for a request value that is too long for policies to compare. */
export class ValueLimitError extends Error {
  override readonly name = 'ValueLimitError';
}

/**
 * The step budget and the cached results of evaluating a policy. Each decision has its own, except that all decisions
 * of one bulk delete share them.
 */
export class PolicyWork {
  readonly budget: StepBudget;
  /**
   * The results of conditions that do not depend on the object. The references are weak, so that a finished bulk delete
   * does not keep its policy in memory.
   */
  readonly #verdicts = new WeakMap<Condition, boolean>();

  constructor(steps = DECISION_STEPS) {
    this.budget = new StepBudget(steps);
  }

  /**
   * Returns whether the condition holds. A condition that does not depend on the object is evaluated only once. Throws
   * StepLimitError and ValueLimitError.
   */
  holds(condition: Condition, values: ConditionValues): boolean {
    const known = this.#verdicts.get(condition);
    if (known !== undefined) return known;
    const verdict = condition.holds(new LimitedValues(values), this.budget);
    if (!condition.ofObject) this.#verdicts.set(condition, verdict);
    return verdict;
  }
}

/**
 * The values of a request, with a length limit. `get` throws ValueLimitError if a value is too long, because comparing
 * only its beginning could miss a Deny.
 */
export class LimitedValues implements ConditionValues {
  readonly #values: ConditionValues;

  constructor(values: ConditionValues) {
    this.#values = values;
  }

  get(key: string): readonly string[] | undefined {
    const texts = this.#values.get(key);
    const long = texts?.find((text) => text.length > MAX_COMPARED_CHARACTERS);
    if (long === undefined) return texts;
    throw new ValueLimitError(
      `${key} has ${long.length} characters, and policies compare at most ${MAX_COMPARED_CHARACTERS}`,
    );
  }
}
