import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkBucketTags, checkObjectTags } from '../../../src/object-store/rules/tags.ts';
import type { Tag } from '../../../src/object-store/tags.ts';
import { refusal } from './refusal.ts';

const code = (tags: readonly Tag[]) => refusal(() => checkObjectTags(tags))?.code;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: '' }));

describe('[tag-1] the number of tags of an object', () => {
  test.each([
    [0, undefined],
    [10, undefined],
    [11, 'InvalidTag'],
  ])('the store checks a set of %i object tags: %s', (count, expected) => {
    expect(code(numbered(count))).toBe(expected);
  });
});

test('[tag-2] the store accepts at most 50 tags on a bucket', () => {
  expect(refusal(() => checkBucketTags(numbered(50)))).toBeUndefined();
  expect(refusal(() => checkBucketTags(numbered(51)))?.code).toBe('InvalidTag');
});

describe('[tag-3] lengths of tag keys and values', () => {
  test.each([
    ['an empty key', '', 'v', 'InvalidTag'],
    ['an empty value', 'k', '', undefined],
    ['the longest key and value', 'k'.repeat(128), 'v'.repeat(256), undefined],
    [
      'the longest key and value of two-byte characters',
      'ä'.repeat(128),
      'ß'.repeat(256),
      undefined,
    ],
    [
      'the longest key and value of supplementary characters',
      '𐐀'.repeat(128),
      '𐐀'.repeat(256),
      undefined,
    ],
    ['a key of 129 characters', 'k'.repeat(129), '', 'InvalidTag'],
    ['a value of 257 characters', 'k', 'v'.repeat(257), 'InvalidTag'],
  ])(
    'the store checks a tag key of 1 to 128 and a tag value of up to 256 characters: %s',
    (_, key, value, expected) => {
      expect(code([{ key, value }])).toBe(expected);
    },
  );
});

describe('[tag-4] characters in tag keys and values', () => {
  test.each(['a b', 'Größe', '東京', '٣', '+-=._:/@', 'a:b', 'xaws:y'])(
    'the store accepts %j in tag keys and values',
    (text) => {
      expect(code([{ key: text, value: text }])).toBeUndefined();
    },
  );

  test.each(['a,b', 'a&b', 'a;b', '<a>', 'a"', "a'", 'a\\b', 'a\nb', 'a\0', '😀', '*', '\ud800'])(
    'the store refuses %j in tag keys and values',
    (text) => {
      expect(code([{ key: text, value: '' }])).toBe('InvalidTag');
      expect(code([{ key: 'k', value: text }])).toBe('InvalidTag');
    },
  );
});

test.each(['aws:a', 'AWS:a', 'Aws:'])(
  '[tag-5] the store refuses the reserved tag key %j',
  (key) => {
    expect(code([{ key, value: '' }])).toBe('InvalidTag');
  },
);

test('[tag-6] the store refuses duplicate tag keys, but accepts keys that differ only in case', () => {
  const [one, other] = [
    { key: 'a', value: '1' },
    { key: 'a', value: '2' },
  ];
  const error = refusal(() => checkObjectTags([one, other]));
  expect(error).toMatchObject({ code: 'InvalidTag', details: { TagKey: 'a' } });
  expect(code([one, { ...other, key: 'A' }])).toBeUndefined();
});

test('[tag-7] the store fails with InvalidTag for every invalid tag', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(fc.array(fc.record({ key: text, value: text }), { maxLength: 12 }), (tags) => {
      expect([undefined, 'InvalidTag']).toContain(code(tags));
    }),
  );
});
