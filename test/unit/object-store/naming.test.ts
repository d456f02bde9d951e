import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkBucketName, checkKey } from '../../../src/object-store/rules/naming.ts';
import { refusal } from './refusal.ts';

describe('[bucket-1] bucket names', () => {
  test.each([
    'abc',
    '123',
    'a.b',
    'a-b',
    'a--b',
    'xn--bcher',
    '1.2.3',
    '1.2.3.4.5',
    'a'.repeat(63),
  ])('the store accepts the bucket name %s', (name) => {
    expect(refusal(() => checkBucketName(name))).toBeUndefined();
  });

  test.each([
    ['', '0 characters'],
    ['ab', '2 characters; a bucket name has 3 to 63'],
    ['a'.repeat(64), '64 characters'],
    ['Abc', 'lower-case'],
    ['a_b', 'lower-case'],
    ['bücher', 'lower-case'],
    ['abc\n', 'lower-case'],
    ['a/b', 'lower-case'],
    ['-ab', 'start with'],
    ['.ab', 'start with'],
    ['ab-', 'end with'],
    ['ab.', 'end with'],
    ['a..b', 'two dots'],
    ['a.-b', 'dot next to a hyphen'],
    ['a-.b', 'dot next to a hyphen'],
    ['127.0.0.1', 'IP address'],
    ['999.999.999.999', 'IP address'],
  ])('the store refuses the bucket name %j: %s', (name, reason) => {
    const error = refusal(() => checkBucketName(name));
    expect(error?.code).toBe('InvalidBucketName');
    expect(error?.message).toContain(reason);
  });
});

describe('object keys', () => {
  test.each([
    'a//b',
    '/lead',
    './c',
    '../x',
    'a/../b',
    String.raw`a\b`,
    'a\nb',
    '%',
    '+',
    '?',
    ' ',
    'folder/',
    '😀',
    'null',
    'a'.repeat(1024),
    'ä'.repeat(512),
    '😀'.repeat(256),
  ])('the store accepts the object key %j', (key) => {
    expect(refusal(() => checkKey(key))).toBeUndefined();
  });

  test.each([
    ['', 'InvalidArgument'],
    ['a\0b', 'InvalidURI'],
    ['a\ud800', 'InvalidURI'],
    ['\udc00a', 'InvalidURI'],
    ['a'.repeat(1025), 'KeyTooLongError'],
    ['ä'.repeat(513), 'KeyTooLongError'],
  ])('the store refuses the object key %j with %s', (key, code) => {
    expect(refusal(() => checkKey(key))?.code).toBe(code);
  });

  test('the store states the size and the limit, and shortens the key, in the error for a key that is too long', () => {
    const error = refusal(() => checkKey('k'.repeat(100_000)));
    expect(error?.message).toContain('100000 bytes of UTF-8; the limit is 1024');
    expect(error?.message.length).toBeLessThan(250);
    expect(error?.details).toEqual({ Size: 100_000, MaxSizeAllowed: 1024 });
  });

  test('[object-1] the store accepts a well-formed key exactly if it has 1 to 1024 bytes and no NUL', () => {
    const unit = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(unit, fc.nat(1100), (text, times) => {
        const key = text.repeat(times);
        const size = Buffer.byteLength(key);
        const allowed = size >= 1 && size <= 1024 && !key.includes('\0');
        expect(refusal(() => checkKey(key)) === undefined).toBe(allowed);
      }),
    );
  });
});
