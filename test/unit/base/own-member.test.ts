import { expect, test } from 'vitest';

import { hasPrototypeName, ownMember } from '../../../src/base/own-member.ts';
import { attributesSchema } from '../../../src/control/methods/objects.ts';
import { expectedOf } from '../../../src/mirror/model/file-types.ts';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

test.each(NAMES)('a table lookup finds %s only as its own member', (name) => {
  expect(ownMember({ a: 1 }, name)).toBeUndefined();
  expect(ownMember(Object.fromEntries([[name, 1]]), name)).toBe(1);
});

test('a table lookup finds __proto__ only as an own member', () => {
  expect(hasPrototypeName(JSON.parse('{"__proto__":1}'))).toBe(true);
  for (const value of [{}, [], 'text', null, undefined])
    expect(hasPrototypeName(value)).toBe(false);
});

test.each(['a.constructor', 'a.__proto__', 'a.valueOf'])(
  'a file named %s has no expected type, so that it cannot look encrypted',
  (path) => {
    expect(expectedOf(path)).toBeUndefined();
  },
);

test('a control request with an attribute named __proto__ is refused, not shortened', () => {
  const metadata: unknown = JSON.parse('{"a":"b","__proto__":"c"}');
  expect(attributesSchema.safeParse({ metadata }).success).toBe(false);
  expect(attributesSchema.safeParse({ metadata: { a: 'b' } }).data).toEqual({
    metadata: { a: 'b' },
  });
});
