import { expect, test } from 'vitest';

import { hasPrototypeName, ownMember } from '../../../src/base/own-member.ts';
import { attributesSchema } from '../../../src/control/methods/objects.ts';
import { expectedOf } from '../../../src/mirror/model/file-types.ts';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

test.each(NAMES)('a table lookup finds %s only if the table itself has that key', (name) => {
  expect(ownMember({ a: 1 }, name)).toBeUndefined();
  expect(ownMember(Object.fromEntries([[name, 1]]), name)).toBe(1);
});

test('a JSON object with a property named __proto__ is detected', () => {
  expect(hasPrototypeName(JSON.parse('{"__proto__":1}'))).toBe(true);
  for (const value of [{}, [], 'text', null, undefined])
    expect(hasPrototypeName(value)).toBe(false);
});

test.each(['a.constructor', 'a.__proto__', 'a.valueOf'])(
  'the file name %s has no known file type, although its extension is a property of every JavaScript object',
  (path) => {
    expect(expectedOf(path)).toBeUndefined();
  },
);

test('a control request whose metadata has an attribute named __proto__ is refused', () => {
  const metadata: unknown = JSON.parse('{"a":"b","__proto__":"c"}');
  expect(attributesSchema.safeParse({ metadata }).success).toBe(false);
  expect(attributesSchema.safeParse({ metadata: { a: 'b' } }).data).toEqual({
    metadata: { a: 'b' },
  });
});
