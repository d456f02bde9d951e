/** Tests of the step budget, which limits the work of patterns and parsers. */

import { expect, test } from 'vitest';

import { StepBudget, StepLimitError } from '../../../src/base/step-budget.ts';

test('a step budget allows exactly as many steps as its limit and counts them', () => {
  const budget = new StepBudget(10);
  budget.spend();
  budget.spend(9);
  expect(budget.spent).toBe(10);
  expect(() => budget.spend()).toThrow(new StepLimitError(10));
});

test('a step budget refuses every later step after the limit was exceeded, even a step without cost', () => {
  const budget = new StepBudget(10);
  expect(() => budget.spend(11)).toThrow('more than 10 steps');
  expect(() => budget.spend(0)).toThrow(StepLimitError);
});

test('a step budget refuses NaN and Infinity as a number of steps', () => {
  expect(() => new StepBudget(10).spend(Number.NaN)).toThrow(StepLimitError);
  expect(() => new StepBudget(10).spend(Number.POSITIVE_INFINITY)).toThrow(StepLimitError);
});
