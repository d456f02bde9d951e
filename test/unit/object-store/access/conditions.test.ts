/**
 * Tests of policy conditions: each operator with and without a value, patterns, IP addresses, and
 * the JSON parser.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isWithin, parseIpRange } from '../../../../src/base/ip-range.ts';
import { StepBudget, StepLimitError } from '../../../../src/base/step-budget.ts';
import { compilePattern } from '../../../../src/object-store/rules/access/pattern.ts';
import { parseConditions } from '../../../../src/object-store/rules/access/policy-conditions.ts';
import { DECISION_STEPS } from '../../../../src/object-store/rules/access/policy-work.ts';
import { readJson } from '../../../../src/object-store/rules/strict-json.ts';

const KEYS = {
  String: 'aws:username',
  Numeric: 's3:max-keys',
  Date: 'aws:CurrentTime',
  Bool: 'aws:SecureTransport',
  Ip: 'aws:SourceIp',
  Arn: 'aws:PrincipalArn',
};

const plenty = () => new StepBudget(1_000_000);
const anyText = () => ({ valueOf: () => undefined, budget: plenty() });

/**
 * Returns whether all conditions of the block match the given values. The values are keyed by
 * lower-case condition keys.
 */
function holds(
  block: object,
  values: Readonly<Record<string, string | readonly string[]>>,
): boolean {
  const given = new Map(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? [value] : value,
    ]),
  );
  const conditions = parseConditions(block, { variables: (name) => name.toLowerCase() });
  return conditions.every((each) => each.holds(given, plenty()));
}

const one = (
  operator: string,
  key: string,
  stated: unknown,
  given: string | readonly string[] | undefined,
) =>
  holds(
    { [operator]: { [key]: stated } },
    given === undefined ? {} : { [key.toLowerCase()]: given },
  );

type Row = readonly [
  operator: string,
  key: string,
  stated: unknown,
  meets: string,
  fails: string | undefined,
];

/**
 * For each operator, a value that matches and one that does not. Without a value, only negated
 * operators match.
 */
const OPERATORS: readonly Row[] = [
  ['StringEquals', KEYS.String, 'ada', 'ada', 'Ada'],
  ['StringEquals', KEYS.String, ['ada', 'bob'], 'bob', 'eve'],
  ['StringEquals', KEYS.String, 'a*', 'a*', 'ada'],
  ['StringEqualsIgnoreCase', KEYS.String, 'Ada', 'aDA', 'bob'],
  ['StringLike', KEYS.String, 'a?a*', 'ada-2', 'aa'],
  ['StringLike', KEYS.String, ['x', 'A*'], 'Ada', 'ada'],
  ['NumericEquals', KEYS.Numeric, 10, '10', '11'],
  ['NumericEquals', KEYS.Numeric, '1e1', '10.0', 'ten'],
  ['NumericLessThan', KEYS.Numeric, '10', '9', '10'],
  ['NumericLessThanEquals', KEYS.Numeric, '10', '10', '10.5'],
  ['NumericGreaterThan', KEYS.Numeric, '10', '11', '10'],
  ['NumericGreaterThanEquals', KEYS.Numeric, '10', '10', '9'],
  [
    'DateEquals',
    KEYS.Date,
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:01Z',
  ],
  ['DateEquals', KEYS.Date, '1767225600', '2026-01-01', 'today'],
  ['DateLessThan', KEYS.Date, '2026-01-02', '2026-01-01T23:59:59Z', '2026-01-02'],
  ['DateLessThanEquals', KEYS.Date, '2026-01-02', '2026-01-02', '2026-01-02T00:00:01+00:00'],
  ['DateGreaterThan', KEYS.Date, '2026-01-02', '2026-01-02T00:00:01Z', '2026-01-02'],
  ['DateGreaterThanEquals', KEYS.Date, '2026-01-02', '2026-01-02', '2026-01-01T23:59:59Z'],
  ['Bool', KEYS.Bool, true, 'true', 'false'],
  ['Bool', KEYS.Bool, 'False', 'false', 'true'],
  ['IpAddress', KEYS.Ip, '192.0.2.0/24', '192.0.2.255', '192.0.3.0'],
  ['IpAddress', KEYS.Ip, '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'],
  ['IpAddress', KEYS.Ip, '2001:db8::/32', '2001:db8:0:1::5', '2001:db9::'],
  ['IpAddress', KEYS.Ip, '10.0.0.0/8', '10.1.2.3', 'localhost'],
  [
    'ArnEquals',
    KEYS.Arn,
    'arn:aws:iam:::user/p1:ada@c1',
    'arn:aws:iam:::user/p1:ada@c1',
    'arn:aws:iam:::user/p1:bob@c1',
  ],
  [
    'ArnLike',
    KEYS.Arn,
    'arn:aws:iam:*:*:user/p1:*@c1',
    'arn:aws:iam:::user/p1:ada@c1',
    'arn:aws:iam:::user/p2:ada@c1',
  ],
];

describe('operators of policy conditions', () => {
  test.each(OPERATORS)(
    '[policy-15] the operator %s on the key %s with %j matches the value %j but not %j',
    (operator, key, stated, meets, fails) => {
      expect(one(operator, key, stated, meets)).toBe(true);
      expect(one(operator, key, stated, fails)).toBe(false);
      expect(one(operator, key, stated, undefined)).toBe(false);
      expect(one(`${operator}IfExists`, key, stated, undefined)).toBe(true);
      expect(one(`${operator}IfExists`, key, stated, fails)).toBe(false);
    },
  );

  const NEGATED: Readonly<Record<string, string>> = {
    StringEquals: 'StringNotEquals',
    StringEqualsIgnoreCase: 'StringNotEqualsIgnoreCase',
    StringLike: 'StringNotLike',
    NumericEquals: 'NumericNotEquals',
    DateEquals: 'DateNotEquals',
    IpAddress: 'NotIpAddress',
    ArnEquals: 'ArnNotEquals',
    ArnLike: 'ArnNotLike',
  };
  test.each(
    OPERATORS.filter(([name]) => name in NEGATED).map(([name, key, stated, meets, fails]): Row => [
      NEGATED[name] ?? '',
      key,
      stated,
      meets,
      fails,
    ]),
  )(
    '[policy-16] the negated operator %s on the key %s with %j does not match %j, but matches %j and a missing value',
    (operator, key, stated, fails, meets) => {
      expect(one(operator, key, stated, fails)).toBe(false);
      expect(one(operator, key, stated, meets)).toBe(true);
      // A Deny for all values except the expected ones therefore also applies to requests without a
      // value.
      expect(one(operator, key, stated, undefined)).toBe(true);
      expect(one(`${operator}IfExists`, key, stated, undefined)).toBe(true);
    },
  );

  test('the store keeps the earlier meaning of an invalid date in a policy that was stored before dates were checked', () => {
    const about = ['DateLessThan', KEYS.Date, '2026-02-30'] as const;
    expect(one(...about, '2026-03-01T23:59:59Z')).toBe(true);
    expect(one(...about, '2026-03-02')).toBe(false);
  });

  test('[policy-17] the Null operator tests whether a value is present', () => {
    expect(one('Null', KEYS.String, 'true', undefined)).toBe(true);
    expect(one('Null', KEYS.String, true, 'ada')).toBe(false);
    expect(one('Null', KEYS.String, 'false', 'ada')).toBe(true);
    expect(one('Null', KEYS.String, false, undefined)).toBe(false);
  });

  test.each([
    ['ForAnyValue:StringEquals', ['a', 'x'], true],
    ['ForAnyValue:StringEquals', ['x'], false],
    ['ForAnyValue:StringEquals', undefined, false],
    ['ForAllValues:StringEquals', ['a', 'b'], true],
    ['ForAllValues:StringEquals', ['a', 'x'], false],
    ['ForAllValues:StringEquals', undefined, true],
    ['ForAnyValue:StringNotEquals', ['a', 'x'], true],
    ['ForAnyValue:StringNotEquals', ['a'], false],
    ['ForAnyValue:StringNotEquals', undefined, false],
    ['ForAllValues:StringNotEquals', ['x', 'y'], true],
    ['ForAllValues:StringNotEquals', ['a', 'x'], false],
    ['ForAllValues:StringNotEquals', undefined, true],
    ['ForAnyValue:StringEqualsIfExists', undefined, true],
    ['StringEquals', ['x', 'b'], true],
    ['StringNotEquals', ['x', 'b'], false],
  ])(
    '[policy-18] the condition %s with the values a and b, for a request with %j, matches: %s',
    (operator, given, expected) => {
      expect(one(operator, 's3:RequestObjectTagKeys', ['a', 'b'], given)).toBe(expected);
    },
  );

  test('[policy-19] the store matches a condition block only if all its operators and keys match', () => {
    const block = {
      StringEquals: { 'aws:username': 'ada', 's3:prefix': 'home/' },
      Bool: { 'aws:securetransport': 'true' },
    };
    const values = { 'aws:username': 'ada', 's3:prefix': 'home/', 'aws:securetransport': 'true' };
    expect(holds(block, values)).toBe(true);
    for (const key of Object.keys(values))
      expect(holds(block, { ...values, [key]: 'x' })).toBe(false);
  });

  test('[policy-19] the store compares condition keys without regard to case, except for the key of a tag', () => {
    expect(one('StringEquals', 'AWS:UserName', 'ada', 'ada')).toBe(true);
    const tag = (given: string) =>
      holds(
        { StringEquals: { 'S3:ExistingObjectTag/Colour': 'red' } },
        { [`s3:existingobjecttag/${given}`]: 'red' },
      );
    expect([tag('Colour'), tag('colour')]).toEqual([true, false]);
  });

  test('[policy-13] the store replaces policy variables in condition values', () => {
    const like = (given: string) =>
      holds(
        { StringLike: { 's3:prefix': 'home/${aws:username}/*' } },
        { 's3:prefix': given, 'aws:username': 'ad*' },
      );
    expect([like('home/ad*/x'), like('home/ada/x')]).toEqual([true, false]);
    expect(one('StringEquals', 's3:prefix', '${aws:username}', 'x')).toBe(false);
  });
});

/**
 * Matches the pattern with a table that stores, for each prefix of the pattern, which prefixes of
 * the text match.
 */
function matchesByTable(source: string, text: string): boolean {
  const characters = Array.from(text);
  let ends = [true, ...characters.map(() => false)];
  for (const each of source) {
    const before = ends;
    const isEnd = (index: number): boolean => {
      if (each === '*') return before.slice(0, index + 1).includes(true);
      const isSame = each === '?' || each === characters[index - 1];
      return index > 0 && isSame && before[index - 1] === true;
    };
    ends = before.map((_, index) => isEnd(index));
  }
  return ends.at(-1) === true;
}

describe('wildcard patterns in policies', () => {
  const reference = (source: string) => {
    const meant = source.replaceAll(/[^*?]/g, '\\$&').replaceAll('?', '.').replaceAll('*', '.*');
    return new RegExp(`^${meant}$`, 's');
  };

  test('[policy-20] the store matches a policy pattern with exactly the texts that an equivalent regular expression matches', () => {
    const alphabet = fc.constantFrom('/', '-', '.', '*', '?');
    const text = fc
      .array(fc.constantFrom('/', '-', '.'), { maxLength: 12 })
      .map((each) => each.join(''));
    const source = fc.array(alphabet, { maxLength: 10 }).map((each) => each.join(''));
    fc.assert(
      fc.property(source, text, (written, given) => {
        const pattern = compilePattern(written, { wildcards: true });
        expect(pattern?.matches(given, anyText())).toBe(reference(written).test(given));
      }),
      { numRuns: 2000 },
    );
  });

  test('[policy-20] the store matches long texts with a policy pattern like a reference implementation', () => {
    const written = fc.array(fc.constantFrom('a', 'b', '😀', '*', '?'), { maxLength: 40 });
    const characters = fc.array(fc.constantFrom('a', 'b', '😀'), { maxLength: 40 });
    // The text is derived from the pattern, because random texts rarely match.
    const filled = fc.tuple(written, characters).map(([source, fill]) => {
      const next = () => fill.pop() ?? 'a';
      const text = source.map((each) =>
        each === '?' ? next() : each === '*' ? next() + next() : each,
      );
      return [source.join(''), text.join('')] as const;
    });
    const unrelated = fc.tuple(
      written.map((each) => each.join('')),
      characters.map((each) => each.join('')),
    );
    const long = (text: string) => text.replaceAll('a', 'a'.repeat(9));
    fc.assert(
      fc.property(fc.oneof(filled, unrelated), ([source, text]) => {
        const pattern = compilePattern(long(source), { wildcards: true });
        const expected = matchesByTable(long(source), long(text));
        expect(pattern?.matches(long(text), anyText())).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  /**
   * Returns the result and the steps of one comparison. Throws if the comparison exceeds the step
   * limit of a decision.
   */
  const stepsOf = (source: string, text: string, values: Readonly<Record<string, string>> = {}) => {
    const budget = new StepBudget(DECISION_STEPS);
    const pattern = compilePattern(source, { wildcards: true, variables: (name) => name });
    const matches = pattern?.matches(text, { valueOf: (name) => values[name], budget });
    return { matches, steps: budget.spent };
  };
  const LONG = 'a'.repeat(1024);

  test.each([
    ['home/*', `home/${LONG}`, true],
    ['*.jpg', `${LONG}.jpg`, true],
    ['/logs/*/2026/*.gz', `/logs/${'x/'.repeat(400)}2026/a.gz`, true],
    ['*Firefox*', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true],
    ['*a?z*', LONG, false],
  ])(
    '[policy-20] the store matches the pattern %s in at most three steps per character of the text',
    (source, text, expected) => {
      const { matches, steps } = stepsOf(source, text);
      expect(matches).toBe(expected);
      expect(steps).toBeLessThan(3 * text.length);
    },
  );

  test('[policy-20] the store rejects a pattern in one step if its literal characters are longer than the text', () => {
    expect(stepsOf(`*${'b'.repeat(1025)}*`, LONG)).toEqual({ matches: false, steps: 1 });
    expect(stepsOf('*' + '?*'.repeat(1025), LONG)).toEqual({ matches: false, steps: 1 });
  });

  test('[policy-20] the store does not expand policy variables beyond the length of the text', () => {
    const source = '*${v}'.repeat(1000);
    const { matches, steps } = stepsOf(source, LONG, { v: 'a'.repeat(1000) });
    expect(matches).toBe(false);
    expect(steps).toBeLessThan(1024 + 10);
    expect(stepsOf('${v}*', LONG).matches).toBe(false);
  });

  test('[policy-20] the store throws StepLimitError if a pattern comparison exceeds the step limit of a decision', () => {
    expect(() => stepsOf(`*${'a'.repeat(1000)}b*`, 'a'.repeat(2048))).toThrow(StepLimitError);
  });

  test('[policy-20] the store treats adjacent stars in a pattern as one star', () => {
    expect(stepsOf('*'.repeat(20_000), LONG).steps).toBeLessThan(5);
  });
});

describe('request values in policy conditions', () => {
  test.each([
    ['NumericEquals', 's3:max-keys', '1'],
    ['NumericEquals', 's3:max-keys', `1${'1'.repeat(1022)}x`],
    ['DateEquals', 'aws:CurrentTime', '1'.repeat(1024)],
    ['IpAddress', 'aws:SourceIp', ':'.repeat(1024)],
    ['ArnLike', 'aws:PrincipalArn', 'arn' + ':'.repeat(1021)],
    ['Bool', 'aws:SecureTransport', 'x'.repeat(1024)],
    ['StringEqualsIgnoreCase', 'aws:UserAgent', 'x'.repeat(1024)],
  ])(
    'the store counts at least one step for each character that the operator %s compares',
    (operator, key, given) => {
      const stated = {
        Num: '7',
        Dat: '7',
        IpA: '::1',
        Arn: 'arn:*:*:*:*:*',
        Boo: 'true',
        Str: 'y',
      };
      const value = stated[operator.slice(0, 3) as keyof typeof stated];
      const [condition] = parseConditions({ [operator]: { [key]: value } }, {});
      const budget = plenty();
      condition?.holds(new Map([[key.toLowerCase(), [given]]]), budget);
      expect(budget.spent).toBeGreaterThanOrEqual(given.length);
      expect(budget.spent).toBeLessThan(200 + 4 * given.length);
    },
  );
});

describe('IP addresses and ranges in policies', () => {
  test.each([
    '1.2.3.4',
    '0.0.0.0/0',
    '::',
    '::/0',
    '::1',
    'fe80::1%eth0',
    '::ffff:1.2.3.4/128',
    '1:2:3:4:5:6:7:8',
    '1::8',
    '1:2:3:4:5:6:1.2.3.4',
  ])('[policy-21] the store accepts %s as an IP address or range', (text) =>
    expect(parseIpRange(text)).toBeDefined(),
  );

  test.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4/33',
    '1.2.3.4/',
    '::/129',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    'localhost',
    '1.2.3.4:80',
  ])('[policy-21] the store refuses %j as an IP address or range', (text) =>
    expect(parseIpRange(text)).toBeUndefined(),
  );

  test('[policy-21] an IP address range contains exactly the addresses with the same prefix bits', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.ipV4(),
        fc.integer({ min: 0, max: 32 }),
        (network, address, bits) => {
          const number = (text: string) =>
            text.split('.').reduce((value, byte) => value * 256 + Number(byte), 0);
          const size = 2 ** (32 - bits);
          const range = parseIpRange(`${network}/${bits}`);
          if (range === undefined) throw new Error(`${network}/${bits} is a range`);
          const same = Math.floor(number(network) / size) === Math.floor(number(address) / size);
          expect(isWithin(range, address)).toBe(same);
          expect(isWithin(range, `::ffff:${address}`)).toBe(same);
        },
      ),
    );
  });

  test.each([
    ['::/0', '2001:db8::1', true],
    ['::/0', '192.0.2.1', false],
    ['::/64', '::ffff:192.0.2.1', false],
    ['::ffff:0:0/96', '192.0.2.1', true],
    ['0.0.0.0/0', '::ffff:192.0.2.1', true],
  ])(
    '[policy-21] the store decides whether the range %s contains the address %s: %s',
    (text, address, held) => {
      const range = parseIpRange(text);
      expect(range && isWithin(range, address)).toBe(held);
    },
  );
});

describe('JSON documents that users send', () => {
  const limits = { maxBytes: 60, maxDepth: 3 };
  test.each([
    ['{"a":{"a":[1]}}', { a: { a: [1] } }],
    ['[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['{"a:":1,"a":"\\"b\\":"}', { 'a:': 1, a: '"b":' }],
    [' "{[" ', '{['],
  ])('the store accepts the JSON document %s', (text, value) => {
    expect(readJson(text, limits)).toEqual({ value });
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"b":{"a":1,"c":{},"a":1}}]',
    '[[[[]]]]',
    '{',
    '',
    `"${'x'.repeat(60)}"`,
  ])('the store refuses the JSON document %s', (text) => {
    expect(readJson(text, limits)).toEqual({ problem: expect.any(String) as string });
  });

  test('the store parses JSON without duplicate members to the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text, { maxBytes: 1e6, maxDepth: 100 })).toEqual({
          value: JSON.parse(text) as unknown,
        });
      }),
    );
  });
});
