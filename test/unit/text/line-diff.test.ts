/** Tests of comparing two texts line by line. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { changedLines, diffLines, withContext } from '../../../src/text/line-diff.ts';

const signs = { same: ' ', removed: '-', added: '+' } as const;
const shown = (before: string, after: string) =>
  diffLines(before.split(''), after.split(''))
    .map(({ is, text }) => signs[is] + text)
    .join(' ');

test.each([
  ['', '', ''],
  ['abc', 'abc', ' a  b  c'],
  ['abc', 'ac', ' a -b  c'],
  ['ac', 'abc', ' a +b  c'],
  ['', 'ab', '+a +b'],
  ['ab', '', '-a -b'],
  ['abcabba', 'cbabac', '-a -b  c +b  a  b -b  a +c'],
])('Holdfast returns the difference from %j to %j: %j', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });

test('property: unchanged and removed lines form the old text, unchanged and added lines the new text', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (is: string) =>
        lines.filter((line) => line.is !== is).map((line) => line.text);
      expect(without('added')).toEqual(before);
      expect(without('removed')).toEqual(after);
    }),
  );
});

test('Holdfast shows two texts with too many differences one after the other, with line numbers', () => {
  const many = (name: string) => Array.from({ length: 2_000 }, (_, index) => `${name} ${index}`);
  const lines = diffLines(['head', ...many('old'), 'tail'], ['head', ...many('new'), 'tail']);
  expect(lines[0]).toEqual({ is: 'same', text: 'head', before: 1, after: 1 });
  expect(lines[1]).toEqual({ is: 'removed', text: 'old 0', before: 2 });
  expect(lines.at(-1)).toEqual({ is: 'same', text: 'tail', before: 2_002, after: 2_002 });
});

test('Holdfast omits and counts lines far from any difference', () => {
  const before = Array.from({ length: 30 }, (_, index) => String(index));
  const rows = withContext(diffLines(before, before.with(10, 'x')), 2);
  expect(rows[0]).toEqual({ is: 'left out', count: 8 });
  expect(rows.slice(1, -1).map((row) => ('text' in row ? row.text : ''))).toEqual([
    '8',
    '9',
    '10',
    'x',
    '11',
    '12',
  ]);
  expect(rows.at(-1)).toEqual({ is: 'left out', count: 17 });
});

test.each([
  ['equal texts', 'a\nb', 'a\nb', ''],
  ['a change in the middle', 'a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nX\ne\nf\ng', ' b  c -d +X  e  f'],
  ['two changes', 'a\nb\nc\nd\ne\nf', 'a\nX\nc\nd\nY\nf', ' a -b +X  c  d -e +Y  f'],
  ['a line added to a text with CRLF', 'a\r\nb\r\n', 'a\r\nb\r\nc\n', ' a  b +c  '],
  ['other line endings', 'a\nb', 'a\r\nb', '-a +a\r  b'],
  ['a text that is new', '', 'a', '- +a'],
])(
  'Holdfast shows the changed lines of %s with two lines of context',
  (_, before, after, expected) => {
    const lines = changedLines(before, after).map(({ is, text }) => signs[is] + text);
    expect(lines.join(' ')).toBe(expected);
  },
);
