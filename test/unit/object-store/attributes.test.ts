import { describe, expect, test } from 'vitest';

import { checkMetadata } from '../../../src/object-store/rules/metadata.ts';
import { refusal } from './refusal.ts';

describe('object attributes', () => {
  const code = (attributes: Parameters<typeof checkMetadata>[0]) =>
    refusal(() => checkMetadata(attributes))?.code;

  test.each([
    ['none', undefined],
    ['no user attributes', { contentType: 'text/plain' }],
    ['an empty value', { metadata: { a: '' } }],
    ['text beyond ASCII', { metadata: { a: 'ä😀' } }],
    ['a tab', { metadata: { a: 'x\ty' } }],
    ['exactly 2 KB', { metadata: { a: 'x'.repeat(2047) } }],
    ['an Expires that is no date', { expires: 'never' }],
    ['a long standard attribute', { contentDisposition: 'x'.repeat(4000) }],
  ])('accepts object attributes with %s', (_, attributes) => {
    expect(code(attributes)).toBeUndefined();
  });

  test.each([
    ['one byte more than 2 KB', { metadata: { a: 'x'.repeat(2048) } }, 'MetadataTooLarge'],
    ['2 KB in bytes, not characters', { metadata: { a: 'ä'.repeat(1024) } }, 'MetadataTooLarge'],
    ['2 KB with the names', { metadata: { [`a${'n'.repeat(2047)}`]: 'x' } }, 'MetadataTooLarge'],
    ['a name in capitals', { metadata: { Name: '' } }, 'InvalidArgument'],
    ['an empty name', { metadata: { '': '' } }, 'InvalidArgument'],
    ['a name with a blank', { metadata: { 'a b': '' } }, 'InvalidArgument'],
    ['a value that ends the header', { metadata: { a: 'x\r\ny: z' } }, 'InvalidArgument'],
    ['a NUL', { contentType: 'a\0' }, 'InvalidArgument'],
    ['half a character', { metadata: { a: '\ud800' } }, 'InvalidArgument'],
  ])('refuses object attributes with %s', (_, attributes, expected) => {
    expect(code(attributes)).toBe(expected);
  });
});
