/** The work that one decision may take: steps, and the length of what a request brings to be compared. */

import { StepBudget } from '../../../base/step-budget.ts';
import type { Condition, ConditionValues } from './policy-conditions.ts';

/**
 * Of one decision: about 2 ms of CPU. A policy of 200 patterns of the usual forms against texts of 1,024 characters takes
 * less than half.
 */
export const DECISION_STEPS = 500_000;

/** The most characters that a value of a request may have where a policy compares it. No key is longer. */
export const MAX_COMPARED_CHARACTERS = 1024;

/** A request brings a longer value than a policy compares. */
export class ValueLimitError extends Error {
  override readonly name = 'ValueLimitError';
}

/** What the statements of a policy are evaluated with: for one decision, or for all of one bulk delete. */
export class PolicyWork {
  readonly budget: StepBudget;
  /** Weak: the work of a bulk delete that is over must not keep its policy in memory. */
  readonly #verdicts = new WeakMap<Condition, boolean>();

  constructor(steps = DECISION_STEPS) {
    this.budget = new StepBudget(steps);
  }

  /** Conditions that do not ask for anything of the object are evaluated once. Throws StepLimitError, ValueLimitError. */
  holds(condition: Condition, values: ConditionValues): boolean {
    const known = this.#verdicts.get(condition);
    if (known !== undefined) return known;
    const verdict = condition.holds(new LimitedValues(values), this.budget);
    if (!condition.ofObject) this.#verdicts.set(condition, verdict);
    return verdict;
  }
}

/** Throws ValueLimitError for a value that is too long: to compare its beginning could miss what a Deny is about. */
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
