import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { StepBudget } from '../../../src/base/step-budget.ts';
import type { CorsRule } from '../../../src/object-store/cors.ts';
import {
  checkCorsRules,
  checkOriginSchemes,
  corsGrant,
} from '../../../src/object-store/rules/cors.ts';
import { refusal } from './refusal.ts';

const rule = (members: object = {}): CorsRule => ({
  allowedOrigins: ['https://a.test'],
  allowedMethods: ['GET'],
  ...members,
});
const many = (count: number) => Array.from({ length: count }, () => rule());

describe('validation of CORS rules', () => {
  test.each<[string, readonly CorsRule[], string | undefined]>([
    ['[cors-1] one CORS rule is accepted', many(1), undefined],
    ['[cors-1] 100 CORS rules are accepted', many(100), undefined],
    ['[cors-1] 101 CORS rules are refused', many(101), 'InvalidRequest'],
    ['[cors-1] an empty list of CORS rules is refused', [], 'MalformedXML'],
    [
      '[cors-4] a CORS rule without an origin is refused',
      [rule({ allowedOrigins: [] })],
      'MalformedXML',
    ],
    [
      '[cors-5] a CORS rule without a method is refused',
      [rule({ allowedMethods: [] })],
      'MalformedXML',
    ],
    [
      '[cors-5] a CORS rule with all five methods is accepted',
      [rule({ allowedMethods: ['GET', 'PUT', 'DELETE', 'POST', 'HEAD'] })],
      undefined,
    ],
    [
      '[cors-5] a CORS rule with a method in lower case is refused',
      [rule({ allowedMethods: ['get'] })],
      'InvalidRequest',
    ],
    [
      '[cors-5] a CORS rule with the method PATCH is refused',
      [rule({ allowedMethods: ['GET', 'PATCH'] })],
      'InvalidRequest',
    ],
    [
      '[cors-5] a CORS rule with the method OPTIONS is refused',
      [rule({ allowedMethods: ['OPTIONS'] })],
      'InvalidRequest',
    ],
    [
      '[cors-8] a CORS rule ID of 255 characters is accepted',
      [rule({ id: 'x'.repeat(255) })],
      undefined,
    ],
    [
      '[cors-8] a CORS rule ID of 256 characters is refused',
      [rule({ id: 'x'.repeat(256) })],
      'InvalidRequest',
    ],
    ['[cors-7] a MaxAgeSeconds of 0 is accepted', [rule({ maxAgeSeconds: 0 })], undefined],
    ['[cors-7] a MaxAgeSeconds of -1 is refused', [rule({ maxAgeSeconds: -1 })], 'InvalidRequest'],
    [
      '[cors-7] a MaxAgeSeconds of 0.5 is refused',
      [rule({ maxAgeSeconds: 0.5 })],
      'InvalidRequest',
    ],
    [
      '[cors-7] a MaxAgeSeconds of 2³¹ is refused',
      [rule({ maxAgeSeconds: 2 ** 31 })],
      'InvalidRequest',
    ],
    ['[cors-6] the allowed header * is accepted', [rule({ allowedHeaders: ['*'] })], undefined],
    [
      '[cors-6] allowed headers with one wildcard each are accepted',
      [rule({ allowedHeaders: ['X-Svc-*', 'a*z'] })],
      undefined,
    ],
    [
      '[cors-6] an allowed header with two wildcards is refused',
      [rule({ allowedHeaders: ['x-*-*'] })],
      'InvalidRequest',
    ],
    [
      '[cors-6] an invalid allowed header name is refused',
      [rule({ allowedHeaders: ['a b'] })],
      'InvalidRequest',
    ],
    [
      '[cors-6] an empty allowed header is refused',
      [rule({ allowedHeaders: [''] })],
      'InvalidRequest',
    ],
    [
      '[cors-9] exposed header names are accepted',
      [rule({ exposeHeaders: ['ETag', 'x-svc-version-id'] })],
      undefined,
    ],
    [
      '[cors-9] the exposed header * is refused',
      [rule({ exposeHeaders: ['*'] })],
      'InvalidRequest',
    ],
    [
      '[cors-9] an invalid exposed header name is refused',
      [rule({ exposeHeaders: ['a:b'] })],
      'InvalidRequest',
    ],
    [
      '[cors-1] a CORS configuration of more than 64 KiB is refused',
      [rule({ exposeHeaders: ['x'.repeat(64 * 1024)] })],
      'InvalidRequest',
    ],
    [
      '[cors-1] an invalid CORS rule after a valid one is refused',
      [rule(), rule({ allowedMethods: [] })],
      'MalformedXML',
    ],
  ])('%s: %#', (_, rules, code) => {
    expect(refusal(() => checkCorsRules(rules))?.code).toBe(code);
  });

  test.each([
    ['*', true],
    ['https://a.test', true],
    ['https://a.test:8443', true],
    ['http://localhost:3000', true],
    ['http://localhost:*', true],
    ['http://[::1]:3000', true],
    ['https://*.a.test', true],
    ['https://*', true],
    ['app://bundle', true],
    ['chrome-extension://abcdef', true],
    ['a.test', false],
    ['*.a.test', false],
    ['//a.test', false],
    ['https:a.test', false],
    ['https://', false],
    ['https://a.test/', false],
    ['https://a.test/page', false],
    ['https://user@a.test', false],
    ['https://a.test:port', false],
    ['null', false],
    ['1ttp://a.test', false],
  ])(
    '[cors-2] the store decides whether the CORS origin %j is "*" or a scheme and a host: %s',
    (origin, isOne) => {
      const rules = [rule({ allowedOrigins: [origin] })];
      expect(refusal(() => checkCorsRules(rules))).toBeUndefined();
      expect(refusal(() => checkOriginSchemes(rules))?.code).toBe(
        isOne ? undefined : 'InvalidRequest',
      );
    },
  );

  test.each(['', 'https://*.*.test', '**', 'https://a.test b', 'https://ä.test'])(
    '[cors-27] the store refuses the CORS origin %j in every dialect',
    (origin) => {
      const rules = [rule({ allowedOrigins: [origin] })];
      expect(refusal(() => checkCorsRules(rules))?.code).toBe('InvalidRequest');
    },
  );

  const places = ['id', 'allowedOrigins', 'allowedHeaders', 'exposeHeaders'] as const;
  test.each(places.flatMap((place) => ['\r', '\n', '\0', '\x7f'].map((each) => [place, each])))(
    '[cors-10] the store refuses a CORS rule with a control character in %s: %j',
    (place = '', character = '') => {
      const text = `https://a.test${character}X: y`;
      const bad = rule({ [place]: place === 'id' ? text : [text] });
      expect(refusal(() => checkCorsRules([bad]))?.code).toBe('InvalidRequest');
    },
  );
});

describe('requests that CORS rules allow', () => {
  test.each([
    ['https://a.test', 'https://a.test', true],
    ['https://a.test', 'https://A.test', false],
    ['https://a.test', 'http://a.test', false],
    ['https://a.test', 'https://a.test:443', false],
    ['https://a.test', 'https://a.test.evil.test', false],
    ['https://a.test:8443', 'https://a.test:8443', true],
    ['https://a.test:8443', 'https://a.test', false],
    ['https://*.ok.test', 'https://b.ok.test', true],
    ['https://*.ok.test', 'https://b.c.ok.test', true],
    ['https://*.ok.test', 'https://ok.test', false],
    ['https://*.ok.test', 'https://b.OK.test', false],
    ['https://*.ok.test', 'https://b.ok.test.evil.test', false],
    ['https://*.ok.test', 'http://b.ok.test', false],
    ['http://localhost:*', 'http://localhost:3000', true],
    ['http://localhost:*', 'http://localhost', false],
    ['https://a*aa.test', 'https://aa.test', false],
    ['*', 'https://any.test', true],
    ['*', 'null', true],
    ['https://*', 'null', false],
    ['*suffix', 'https://a.suffix', true],
    ['*suffix', 'https://suffix.test', false],
    ['start*end', 'start-and-end', true],
    ['start*end', 'startend', true],
    ['start*end', 'star-end', false],
    ['example.org', 'https://example.org', false],
  ])(
    '[cors-3] the store decides whether a CORS rule for the origin %s allows a request from %s: %s',
    (allowed, origin, isAllowed) => {
      const rules = [rule({ allowedOrigins: [allowed] })];
      expect(corsGrant(rules, { origin, method: 'GET' }) !== undefined).toBe(isAllowed);
    },
  );

  test.each([
    [['https://a.test'], { origin: 'https://a.test', credentials: true }],
    [['https://*.test'], { origin: 'https://a.test', credentials: true }],
    [['*'], { origin: '*', credentials: false }],
    [['https://a.test', '*'], { origin: '*', credentials: false }],
    [['https://*'], { origin: 'https://a.test', credentials: false }],
    [['https://*', 'https://a.test'], { origin: 'https://a.test', credentials: true }],
    [['http*'], { origin: 'https://a.test', credentials: false }],
    [['https:/*'], { origin: 'https://a.test', credentials: false }],
    [['*.test'], { origin: 'https://a.test', credentials: true }],
    [['*://a.test'], { origin: 'https://a.test', credentials: true }],
    [['https://a*'], { origin: 'https://a.test', credentials: true }],
  ])(
    '[cors-11] the store grants a request under a CORS rule with the origins %j: %j',
    (allowedOrigins, expected) => {
      const asked = { origin: 'https://a.test', method: 'GET' };
      expect(corsGrant([rule({ allowedOrigins })], asked)).toMatchObject(expected);
    },
  );

  test.each([
    [[], [], true],
    [[], ['x-a'], false],
    [['x-a'], [], true],
    [['X-A'], ['x-a'], true],
    [['x-a'], ['X-A'], true],
    [['x-a'], ['x-a', 'x-b'], false],
    [['x-a', 'x-b'], ['x-b', 'x-a'], true],
    [['x-svc-*'], ['x-svc-date', 'X-SVC-Meta-A'], true],
    [['x-svc-*'], ['authorization'], false],
    [['*'], ['authorization', 'x-a'], true],
    [['a*a'], ['a'], false],
  ])(
    '[cors-6] the store decides whether the allowed headers %j of a CORS rule permit the headers %j: %s',
    (allowedHeaders, headers, isAllowed) => {
      const asked = { origin: 'https://a.test', method: 'GET', headers };
      expect(corsGrant([rule({ allowedHeaders })], asked) !== undefined).toBe(isAllowed);
    },
  );

  test('[cors-12] the store applies the first CORS rule that fully matches a request and never combines two rules', () => {
    const rules = [
      rule({ allowedMethods: ['PUT'], maxAgeSeconds: 1 }),
      rule({ allowedOrigins: ['https://b.test'], maxAgeSeconds: 2 }),
      rule({ allowedHeaders: ['x-a'], maxAgeSeconds: 3 }),
      rule({ maxAgeSeconds: 4 }),
    ];
    const age = (asked: object) =>
      corsGrant(rules, { origin: 'https://a.test', method: 'GET', ...asked })?.maxAgeSeconds;
    expect(age({ method: 'PUT' })).toBe(1);
    expect(age({ origin: 'https://b.test' })).toBe(2);
    expect(age({ headers: ['x-a'] })).toBe(3);
    expect(age({})).toBe(3);
    expect(age({ headers: ['x-b'] })).toBeUndefined();
    expect(age({ origin: 'https://b.test', method: 'PUT' })).toBeUndefined();
  });

  const text = fc.string({ unit: fc.constantFrom('a', '.', ':'), maxLength: 6 });
  test('[cors-3] the store matches a wildcard in a CORS rule with any number of characters, including none', () => {
    fc.assert(
      fc.property(text, text, text, (before, inside, after) => {
        const rules = [rule({ allowedOrigins: [`x://${before}*${after}`] })];
        const asked = { origin: `x://${before}${inside}${after}`, method: 'GET' };
        expect(corsGrant(rules, asked)?.origin).toBe(asked.origin);
      }),
    );
  });

  test('[cors-3] the store requires that the start and the end of a CORS rule match without overlap', () => {
    fc.assert(
      fc.property(text, text, text, (before, after, origin) => {
        const rules = [rule({ allowedOrigins: [`${before}*${after}`] })];
        const expected = origin.startsWith(before) && origin.slice(before.length).endsWith(after);
        expect(corsGrant(rules, { origin, method: 'GET' }) !== undefined).toBe(expected);
      }),
    );
  });
});

describe('limits of CORS rules', () => {
  const numbered = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const spread = (count: number) => [
    rule({ allowedHeaders: numbered(count - 202, 'x-') }),
    rule({ allowedOrigins: numbered(100, 'https://a.'), exposeHeaders: numbered(101, 'y-') }),
  ];

  test('[cors-1] the store accepts a CORS configuration with 500 origins and headers in total', () => {
    expect(refusal(() => checkCorsRules(spread(500)))).toBeUndefined();
  });

  test('[cors-1] the store refuses a CORS configuration with 501 origins and headers and states the number and the limit', () => {
    const error = refusal(() => checkCorsRules(spread(501)));
    expect(error?.code).toBe('InvalidRequest');
    expect(error?.message).toContain('the rules have 501');
    expect(error?.message).toContain('the limit is 500');
  });

  const asked = { origin: 'https://a.test', method: 'GET', headers: numbered(100, 'a-') };

  test('[cors-26] the store compares a preflight for 100 headers with 499 allowed headers within the step limit', () => {
    const allowedHeaders = [...numbered(498, 'b-*'), 'a-*'];
    expect(corsGrant([rule({ allowedHeaders })], asked)).toBeDefined();
  });

  test('[cors-26] stored CORS rules that exceed the step limit allow nothing', () => {
    const allowedHeaders = [...numbered(4989, 'b-*'), 'a-*'];
    const budget = new StepBudget(500_000);
    expect(
      corsGrant([rule({ allowedHeaders }), rule({ allowedHeaders: ['*'] })], asked, budget),
    ).toBe(undefined);
    expect(budget.spent).toBeLessThan(500_100);
  });

  test('[cors-26] the store compares a header that a preflight repeats a thousand times only once', () => {
    const budget = new StepBudget(1000);
    const headers = Array.from({ length: 1000 }, () => 'X-A');
    const rules = [rule({ allowedHeaders: ['x-a'] })];
    expect(corsGrant(rules, { ...asked, headers }, budget)).toBeDefined();
    expect(budget.spent).toBeLessThan(20);
  });

  test('[cors-26] the store converts the header names of CORS rules to lower case once, not for each request', () => {
    let reads = 0;
    const allowedHeaders = ['X-A'];
    const counted = {
      ...rule(),
      get allowedHeaders() {
        reads += 1;
        return allowedHeaders;
      },
    };
    for (let round = 0; round < 3; round++) {
      expect(corsGrant([counted], { ...asked, headers: ['x-a'] })).toBeDefined();
    }
    expect(reads).toBe(1);
  });
});
