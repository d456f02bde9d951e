import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  afterPrefix,
  commonPrefix,
  compareUtf8,
  decodeListToken,
  encodeListToken,
  pageSize,
  resumeAfter,
} from '../../../src/object-store/rules/listing.ts';
import { refusal } from './refusal.ts';

// Characters on both sides of every boundary of UTF-8 and UTF-16, so that many pairs differ in
// their order.
const border = fc.constantFrom(
  ...Array.from('\u0001/a\u007f\u0080\u07ff\u0800\ud7ff\ue000\uff21\uffff\u{10000}😀\u{10ffff}'),
);
const name = fc.oneof(fc.string({ unit: border, maxLength: 6 }), fc.string({ unit: 'binary' }));
const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('order of keys', () => {
  test('keys are ordered by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(bytewise(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  test('U+FF21 sorts before an emoji in key order, unlike in UTF-16 order', () => {
    expect(compareUtf8('Ａ', '😀')).toBeLessThan(0);
    expect(['😀', 'Ａ'].sort()).toEqual(['😀', 'Ａ']);
  });
});

describe('common prefixes', () => {
  test.each([
    ['a/b', '', '/', 'a/'],
    ['a/b/c', 'a/', '/', 'a/b/'],
    ['a/b/c', 'a', '/', 'a/'],
    ['a/', '', '/', 'a/'],
    ['a/', 'a/', '/', undefined],
    ['a//b', 'a/', '/', 'a//'],
    ['a', '', '/', undefined],
    ['a--b--c', '', '--', 'a--'],
    ['a/b', '', undefined, undefined],
    ['a/b', '', '', undefined],
    ['x/y', 'a', '/', undefined],
    ['/lead', '', '/', '/'],
  ])(
    '[list-2] the common prefix of %j below %j with %j is %j',
    (key, prefix, delimiter, expected) => {
      expect(commonPrefix(key, prefix, delimiter)).toBe(expected);
    },
  );
});

describe('upper bound of a prefix', () => {
  test.each([
    ['a', 'b'],
    ['a/', 'a0'],
    ['\ud7ff', '\ue000'],
    ['\uffff', '\u{10000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('the upper bound of the prefix %j is %j', (prefix, expected) => {
    expect(afterPrefix(prefix)).toBe(expected);
  });

  test('the upper bound of a prefix is between the keys with this prefix and all later keys', () => {
    fc.assert(
      fc.property(name, name, fc.boolean(), (prefix, rest, below) => {
        const each = below ? prefix + rest : rest;
        const bound = afterPrefix(prefix);
        const inside =
          bytewise(prefix, each) <= 0 && (bound === undefined || bytewise(each, bound) < 0);
        expect(inside).toBe(each.startsWith(prefix));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('continuation tokens', () => {
  test('a continuation token decodes to the position that it encodes', () => {
    fc.assert(
      fc.property(name, fc.constantFrom('key' as const, 'prefix' as const), (name, kind) => {
        expect(decodeListToken(encodeListToken({ kind, name }))).toEqual({ kind, name });
      }),
    );
  });

  test.each([
    '',
    'a',
    'hello world',
    Buffer.from('\u0001').toString('base64url'),
    Buffer.from('\u0002\u0000key').toString('base64url'),
    Buffer.from('\u0001\u0002key').toString('base64url'),
    Buffer.from([1, 0, 0xff]).toString('base64url'),
    `${encodeListToken({ kind: 'key', name: 'key' })}=`,
    `${encodeListToken({ kind: 'key', name: 'key' })}!`,
  ])('[list-9] the invalid continuation token %j is refused', (token) => {
    expect(refusal(() => decodeListToken(token))?.code).toBe('InvalidArgument');
  });

  test('any text used as a continuation token is refused or decodes to a position that encodes to the same text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string()), (token) => {
        const error = refusal(() => decodeListToken(token));
        if (error) expect(error.code).toBe('InvalidArgument');
        else expect(encodeListToken(decodeListToken(token))).toBe(token);
      }),
    );
  });
});

describe('continuation of a listing', () => {
  const whole = { prefix: '', delimiter: undefined };
  const slashes = { prefix: '', delimiter: '/' };

  test.each([
    [{ kind: 'key' as const, name: 'a/1' }, whole, { name: 'a/1', inclusive: false }],
    [{ kind: 'key' as const, name: 'a' }, slashes, { name: 'a', inclusive: false }],
    [{ kind: 'key' as const, name: 'a/1' }, slashes, { name: 'a0', inclusive: true }],
    [{ kind: 'prefix' as const, name: 'a/' }, slashes, { name: 'a0', inclusive: true }],
    [{ kind: 'prefix' as const, name: '\u{10ffff}' }, slashes, undefined],
  ])('a listing after %j with %j continues at %j', (position, request, expected) => {
    expect(resumeAfter(position, request)).toEqual(expected);
  });
});

describe('page sizes', () => {
  test.each([
    [undefined, 1000],
    [0, 0],
    [7, 7],
    [1000, 1000],
    [1001, 1000],
    [Number.MAX_SAFE_INTEGER, 1000],
  ])('a page requested with %s entries has at most %i', (asked, expected) => {
    expect(pageSize(asked, 'max-keys')).toBe(expected);
  });

  test.each([-1, 0.5, Number.NaN, Infinity])('a page size of %d entries is refused', (asked) => {
    const error = refusal(() => pageSize(asked, 'max-parts'));
    expect(error?.code).toBe('InvalidArgument');
    expect(error?.details).toEqual({ ArgumentName: 'max-parts', ArgumentValue: String(asked) });
  });
});
