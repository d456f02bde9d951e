/**
 * Defines the operators of policy conditions. Each operator is compiled together with a value from the policy
 * (semantics B.6).
 */

import { isWithin, parseIpRange } from '../../../base/ip-range.ts';
import { compilePattern, type Matching, type PatternOptions } from './pattern.ts';

/** Returns whether a value of the request satisfies the comparison with the policy's value. Throws StepLimitError. */
export type Test = (value: string, matching: Matching) => boolean;

type Options = Pick<PatternOptions, 'variables'>;

interface Operator {
  /**
   * Compiles the operator with a value from the policy. Returns undefined if the operator does not accept the value.
   */
  readonly compile: (value: string, options: Options) => Test | undefined;
  /** True for a negated operator, which holds if and only if the comparison does not. */
  readonly negated?: true;
}

function equals(value: string, { variables }: Options): Test | undefined {
  return patternTest(value, { wildcards: false, variables });
}

function like(value: string, { variables }: Options): Test | undefined {
  return patternTest(value, { wildcards: true, variables });
}

const equalsIgnoreCase: Operator['compile'] = (value, options) => {
  const test = equals(value.toLowerCase(), options);
  return (
    test &&
    measured((given, { valueOf, budget }) =>
      test(given.toLowerCase(), { valueOf: (name) => valueOf(name)?.toLowerCase(), budget }),
    )
  );
};

function patternTest(value: string, options: PatternOptions): Test | undefined {
  const pattern = compilePattern(value, options);
  return pattern && ((given, matching) => pattern.matches(given, matching));
}

/** Returns a test that additionally counts the steps for reading the whole value. */
function measured(test: Test): Test {
  return (given, matching) => {
    matching.budget.spend(READING_STEPS + given.length);
    return test(given, matching);
  };
}

/** The fixed number of steps for testing a number, date or address. Parsing one takes about a microsecond. */
const READING_STEPS = 200;

/**
 * Compares `arn:partition:service:region:account:resource` part by part, so that a `*` cannot match the colon between
 * two parts.
 */
const arnLike: Operator['compile'] = (value, options) => {
  const tests = arnParts(value)?.map((part) => like(part, options));
  if (tests === undefined || tests.includes(undefined)) return undefined;
  return measured((given, matching) => {
    const parts = arnParts(given);
    return (
      parts !== undefined && tests.every((test, index) => test?.(parts[index] ?? '', matching))
    );
  });
};

const ARN_PARTS = 6;

function arnParts(arn: string): readonly string[] | undefined {
  const parts = arn.split(':', ARN_PARTS);
  if (parts.length < ARN_PARTS || parts[0] !== 'arn') return undefined;
  const before = parts.slice(0, ARN_PARTS - 1);
  return [...before, arn.slice(before.join(':').length + 1)];
}

/**
 * Matches a number. The pattern matches each text in only one way, so that an invalid number causes no backtracking.
 */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function readNumber(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined;
}

const ISO_DATE =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Parses an ISO 8601 date or a number of seconds since 1970. Returns milliseconds since 1970. */
function readDate(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  const time = ISO_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

type Read = (text: string) => number | undefined;
type Compare = (given: number, stated: number) => boolean;

/**
 * Returns the function that compiles an operator for numbers or dates. If the value of a request is invalid, the
 * comparison does not hold.
 */
function ordered(read: Read, compare: Compare): Operator['compile'] {
  return (value) => {
    const stated = read(value);
    if (stated === undefined) return undefined;
    return measured((given) => {
      const number = read(given);
      return number !== undefined && compare(number, stated);
    });
  };
}

const isEqual: Compare = (given, stated) => given === stated;

const COMPARISONS: readonly (readonly [suffix: string, Compare, negated?: true])[] = [
  ['Equals', isEqual],
  ['NotEquals', isEqual, true],
  ['LessThan', (given, stated) => given < stated],
  ['LessThanEquals', (given, stated) => given <= stated],
  ['GreaterThan', (given, stated) => given > stated],
  ['GreaterThanEquals', (given, stated) => given >= stated],
];

function comparisons(prefix: string, read: Read): readonly (readonly [string, Operator])[] {
  return COMPARISONS.map(([suffix, compare, negated]) => {
    const compile = ordered(read, compare);
    return [prefix + suffix, negated ? { compile, negated } : { compile }];
  });
}

const isTrue: Operator['compile'] = (value) => {
  const stated = value.toLowerCase();
  if (stated !== 'true' && stated !== 'false') return undefined;
  return measured((given) => given.toLowerCase() === stated);
};

const ipAddress: Operator['compile'] = (value) => {
  const range = parseIpRange(value);
  return range && measured((given) => isWithin(range, given));
};

export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['StringEquals', { compile: equals }],
  ['StringNotEquals', { compile: equals, negated: true }],
  ['StringEqualsIgnoreCase', { compile: equalsIgnoreCase }],
  ['StringNotEqualsIgnoreCase', { compile: equalsIgnoreCase, negated: true }],
  ['StringLike', { compile: like }],
  ['StringNotLike', { compile: like, negated: true }],
  ...comparisons('Numeric', readNumber),
  ...comparisons('Date', readDate),
  ['Bool', { compile: isTrue }],
  ['IpAddress', { compile: ipAddress }],
  ['NotIpAddress', { compile: ipAddress, negated: true }],
  ['ArnEquals', { compile: arnLike }],
  ['ArnLike', { compile: arnLike }],
  ['ArnNotEquals', { compile: arnLike, negated: true }],
  ['ArnNotLike', { compile: arnLike, negated: true }],
]);
