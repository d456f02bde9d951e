import { describe, expect, test } from 'vitest';

import type { UserPrincipal } from '../../../src/base/principal.ts';
import { checkAccess, checkOwner } from '../../../src/object-store/rules/access.ts';
import { checkMetadata } from '../../../src/object-store/rules/metadata.ts';
import { refusal } from './refusal.ts';

describe('attributes', () => {
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
  ])('may be %s', (_, attributes) => {
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
  ])('may not be %s', (_, attributes, expected) => {
    expect(code(attributes)).toBe(expected);
  });
});

describe('access to a bucket', () => {
  const user = (project: string, name: string, customer: string): UserPrincipal => ({
    kind: 'user',
    project,
    user: name,
    customer,
    fullAccess: false,
  });
  const owner = user('p1', 'alice', 'c1');

  test.each([
    ['its owner', owner, undefined],
    ['another user of the project', user('p1', 'bob', 'c1'), undefined],
    ['a user of another project', user('p2', 'alice', 'c1'), 'AccessDenied'],
    ['the same project of another customer', user('p1', 'alice', 'c2'), 'AccessDenied'],
    [
      'another project with full access',
      { ...user('p2', 'eve', 'c1'), fullAccess: true },
      'AccessDenied',
    ],
    ['nobody', { kind: 'anonymous' as const }, 'AccessDenied'],
  ])('for %s: %s', (_, principal, code) => {
    expect(refusal(() => checkAccess(principal, owner))?.code).toBe(code);
  });

  test.each([
    ['its owner', owner, undefined],
    ['another user of the project', user('p1', 'bob', 'c1'), 'AccessDenied'],
    ['a namesake elsewhere', user('p2', 'alice', 'c1'), 'AccessDenied'],
    ['nobody', { kind: 'anonymous' as const }, 'AccessDenied'],
  ])('as its owner, for %s: %s', (_, principal, code) => {
    expect(refusal(() => checkOwner(principal, owner))?.code).toBe(code);
  });
});
