import { describe, expect, test } from 'vitest';

import { checkMetadata } from '../../../src/object-store/rules/metadata.ts';
import { refusal } from './refusal.ts';

describe('validation of object attributes', () => {
  const code = (attributes: Parameters<typeof checkMetadata>[0]) =>
    refusal(() => checkMetadata(attributes))?.code;

  test.each([
    ['no attributes', undefined],
    ['no user attributes', { contentType: 'text/plain' }],
    ['an empty value', { metadata: { a: '' } }],
    ['non-ASCII text', { metadata: { a: 'ä😀' } }],
    ['a tab', { metadata: { a: 'x\ty' } }],
    ['exactly 2 KB of user metadata', { metadata: { a: 'x'.repeat(2047) } }],
    ['an Expires value that is not a date', { expires: 'never' }],
    ['a long standard attribute', { contentDisposition: 'x'.repeat(4000) }],
  ])('the store accepts object attributes with %s', (_, attributes) => {
    expect(code(attributes)).toBeUndefined();
  });

  test.each([
    [
      'one byte more than 2 KB of user metadata',
      { metadata: { a: 'x'.repeat(2048) } },
      'MetadataTooLarge',
    ],
    [
      'more than 2 KB in bytes but less in characters',
      { metadata: { a: 'ä'.repeat(1024) } },
      'MetadataTooLarge',
    ],
    [
      'more than 2 KB including the names',
      { metadata: { [`a${'n'.repeat(2047)}`]: 'x' } },
      'MetadataTooLarge',
    ],
    ['a name in capitals', { metadata: { Name: '' } }, 'InvalidArgument'],
    ['an empty name', { metadata: { '': '' } }, 'InvalidArgument'],
    ['a name with a space', { metadata: { 'a b': '' } }, 'InvalidArgument'],
    ['a value with a line break', { metadata: { a: 'x\r\ny: z' } }, 'InvalidArgument'],
    ['a NUL character', { contentType: 'a\0' }, 'InvalidArgument'],
    ['an unpaired surrogate', { metadata: { a: '\ud800' } }, 'InvalidArgument'],
  ])('the store refuses object attributes with %s', (_, attributes, expected) => {
    expect(code(attributes)).toBe(expected);
  });
});
