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

// Characters on both sides of every boundary of UTF-8 and UTF-16, so that many pairs sort
// differently.
const border = fc.constantFrom(
  ...Array.from('\u0001/a\u007f\u0080\u07ff\u0800\ud7ff\ue000\uff21\uffff\u{10000}😀\u{10ffff}'),
);
const name = fc.oneof(fc.string({ unit: border, maxLength: 6 }), fc.string({ unit: 'binary' }));
const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('the order of object keys', () => {
  test('the store sorts object keys by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(bytewise(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  test('the store sorts U+FF21 before an emoji, unlike UTF-16 order', () => {
    expect(compareUtf8('Ａ', '😀')).toBeLessThan(0);
    expect(['😀', 'Ａ'].sort()).toEqual(['😀', 'Ａ']);
  });
});

describe('common prefixes of a listing', () => {
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
    '[list-2] the store computes the common prefix of %j below %j with the delimiter %j: %j',
    (key, prefix, delimiter, expected) => {
      expect(commonPrefix(key, prefix, delimiter)).toBe(expected);
    },
  );
});

describe('the first key after all keys with a prefix', () => {
  test.each([
    ['a', 'b'],
    ['a/', 'a0'],
    ['\ud7ff', '\ue000'],
    ['\uffff', '\u{10000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ])('the store computes the upper bound of the prefix %j: %j', (prefix, expected) => {
    expect(afterPrefix(prefix)).toBe(expected);
  });

  test('the store computes an upper bound between the keys with a prefix and all later keys', () => {
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
  test('the store decodes a continuation token to the position that was encoded', () => {
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
  ])('[list-9] the store refuses the invalid continuation token %j', (token) => {
    expect(refusal(() => decodeListToken(token))?.code).toBe('InvalidArgument');
  });

  test('the store refuses any text as a continuation token that does not encode a position', () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string()), (token) => {
        const error = refusal(() => decodeListToken(token));
        if (error) expect(error.code).toBe('InvalidArgument');
        else expect(encodeListToken(decodeListToken(token))).toBe(token);
      }),
    );
  });
});

describe('the start of the next page of a listing', () => {
  const whole = { prefix: '', delimiter: undefined };
  const slashes = { prefix: '', delimiter: '/' };

  test.each([
    [{ kind: 'key' as const, name: 'a/1' }, whole, { name: 'a/1', inclusive: false }],
    [{ kind: 'key' as const, name: 'a' }, slashes, { name: 'a', inclusive: false }],
    [{ kind: 'key' as const, name: 'a/1' }, slashes, { name: 'a0', inclusive: true }],
    [{ kind: 'prefix' as const, name: 'a/' }, slashes, { name: 'a0', inclusive: true }],
    [{ kind: 'prefix' as const, name: '\u{10ffff}' }, slashes, undefined],
  ])('the store continues a listing after %j with %j at %j', (position, request, expected) => {
    expect(resumeAfter(position, request)).toEqual(expected);
  });
});

describe('page sizes of listings', () => {
  test.each([
    [undefined, 1000],
    [0, 0],
    [7, 7],
    [1000, 1000],
    [1001, 1000],
    [Number.MAX_SAFE_INTEGER, 1000],
  ])('the store limits a page that was requested with %s entries to %i', (asked, expected) => {
    expect(pageSize(asked, 'max-keys')).toBe(expected);
  });

  test.each([-1, 0.5, Number.NaN, Infinity])(
    'the store refuses a page size of %d entries',
    (asked) => {
      const error = refusal(() => pageSize(asked, 'max-parts'));
      expect(error?.code).toBe('InvalidArgument');
      expect(error?.details).toEqual({ ArgumentName: 'max-parts', ArgumentValue: String(asked) });
    },
  );
});
