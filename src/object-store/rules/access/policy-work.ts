/** Limits the work of an authorization decision: the steps, and the length of the request's values. */

import { StepBudget } from '../../../base/step-budget.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';

/**
 * The step budget of one decision, about 2 ms of CPU time. A policy with 200 patterns of the usual forms uses less than
 * half of it for values of 1,024 characters.
 */
export const DECISION_STEPS = 400_000;

/** The longest value of a request that a policy compares, in characters. No object key is longer. */
export const MAX_COMPARED_CHARACTERS = 1024;

/** The error for a value of a request that is too long to be compared. */
export class ValueLimitError extends Error {
  override readonly name = 'ValueLimitError';
}

/**
 * The step budget and the cached results for evaluating a policy, for one decision or for all decisions of one bulk delete.
 */
export class PolicyWork {
  readonly budget: StepBudget;
  /**
   * Results of conditions that do not depend on the object. The references are weak, so that the work of a finished bulk
   * delete does not keep its policy in memory.
   */
  readonly #verdicts = new WeakMap<Condition, boolean>();

  constructor(steps = DECISION_STEPS) {
    this.budget = new StepBudget(steps);
  }

  /**
   * Returns whether the condition holds. Evaluates it only the first time if it does not depend on the object. Throws
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
 * The values of a request within the length limit. `get` throws ValueLimitError if a value is too long, because a
 * comparison of its beginning could miss a Deny.
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
