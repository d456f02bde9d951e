/** Parses the conditions of policy statements once, so that they can be evaluated for every request (semantics B.6). */

import type { StepBudget } from '../../../base/step-budget.ts';
import { conditionKey, isOfObject } from './condition-keys.ts';
import { malformedPolicy } from './malformed-policy.ts';
import type { Matching, PatternOptions } from './pattern.ts';
import { OPERATORS, type Test } from './policy-operators.ts';

/**
 * The values of a request by condition key, in the form that `conditionKey` returns. The values come from the parsed
 * request, never directly from a header of that name (RustFS GHSA-6r96). A `Map` satisfies this interface.
 */
export interface ConditionValues {
  get(key: string): readonly string[] | undefined;
}

export interface Condition {
  readonly operator: string;
  readonly key: string;
  /** The values in the policy for the condition key. */
  readonly values: readonly string[];
  /** Whether the result can differ between the objects of one bulk delete. */
  readonly ofObject: boolean;
  /** Returns whether a request with these values fulfils the condition. Throws StepLimitError. */
  holds(values: ConditionValues, budget: StepBudget): boolean;
}

/** Parses the value of the element `Condition`: `{ operator: { key: value or values } }`. Throws MalformedPolicy. */
export function parseConditions(
  block: unknown,
  options: Pick<PatternOptions, 'variables'>,
): readonly Condition[] {
  return entriesOf(block, 'Condition').flatMap(([operator, comparisons]) =>
    entriesOf(comparisons, `Condition.${operator}`).map(([key, values]) =>
      parseCondition(
        operator,
        { key, values: textsOf(values, `Condition.${operator}.${key}`) },
        options,
      ),
    ),
  );
}

function entriesOf(value: unknown, where: string): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformedPolicy(`${where} must be an object`);
  }
  return Object.entries(value);
}

/** Returns the values of a condition key as texts. Numbers and booleans are converted. */
function textsOf(value: unknown, where: string): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.map((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean'
      ? String(each)
      : undefined,
  );
  if (texts.length > 0 && !texts.includes(undefined)) return texts as string[];
  throw malformedPolicy(`${where} must be a string or a list of strings`);
}

const OPERATOR = /^(?:(ForAllValues|ForAnyValue):)?([A-Za-z]+?)(IfExists)?$/;

interface Written {
  readonly key: string;
  readonly values: readonly string[];
}

function parseCondition(
  operator: string,
  { key: writtenKey, values }: Written,
  options: Pick<PatternOptions, 'variables'>,
): Condition {
  const key = conditionKey(writtenKey);
  if (key === undefined) {
    throw malformedPolicy(`Policy has an invalid condition key: ${JSON.stringify(writtenKey)}`);
  }
  if (operator === 'Null') return nullCondition(key, values);
  const [, quantifier, name = '', ifExists] = OPERATOR.exec(operator) ?? [];
  const { compile, negated = false } = OPERATORS.get(name) ?? {};
  if (compile === undefined) {
    throw malformedPolicy(`${JSON.stringify(operator)} is not a valid condition operator`);
  }
  const tests = values.map((value) => {
    const test = compile(value, options);
    if (test) return test;
    throw malformedPolicy(
      `Condition.${operator}.${writtenKey}: ${JSON.stringify(value)} is not a valid value`,
    );
  });
  // If the request has no value for the key, a negated operator holds, and so does ForAllValues.
  const whenAbsent =
    ifExists !== undefined ||
    quantifier === 'ForAllValues' ||
    (negated && quantifier === undefined);
  const holdsFor = holds({ tests, negated, quantifier });
  return {
    operator,
    key,
    values,
    ofObject: isOfObject(key, values),
    holds: (request, budget) => {
      const given = request.get(key);
      if (given === undefined || given.length === 0) return whenAbsent;
      return holdsFor(given, { valueOf: (name) => request.get(name)?.[0], budget });
    },
  };
}

interface Comparison {
  readonly tests: readonly Test[];
  readonly negated: boolean;
  readonly quantifier: string | undefined;
}

/**
 * Returns a function that compares the request's values of a condition key with those of the policy. A value must match
 * one of the policy's values; for a negated operator, it must match none of them.
 */
function holds({ tests, negated, quantifier }: Comparison) {
  const all = quantifier === 'ForAllValues' || (negated && quantifier === undefined);
  return (given: readonly string[], matching: Matching): boolean => {
    const satisfies = (value: string) => tests.some((test) => test(value, matching)) !== negated;
    return all ? given.every(satisfies) : given.some(satisfies);
  };
}

/**
 * Returns the condition for the operator `Null`. If its value is `true`, the condition holds if the request has no
 * value for the key; if its value is `false`, the condition holds if the request has a value for the key.
 */
function nullCondition(key: string, values: readonly string[]): Condition {
  const [value, ...more] = values;
  const absent = value?.toLowerCase();
  if (more.length > 0 || (absent !== 'true' && absent !== 'false')) {
    throw malformedPolicy('Condition.Null: the value must be true or false');
  }
  return {
    operator: 'Null',
    key,
    values,
    ofObject: isOfObject(key, values),
    holds: (request) => (request.get(key) === undefined) === (absent === 'true'),
  };
}
