/**
 * Tests that each pattern finds its forbidden phrase in text and identifiers, and does not match
 * similar correct text.
 */

import { expect, test } from 'vitest';

import { findNever, NEVER } from './never.ts';

function advice(text: string, path = 'src/x.ts'): string[] {
  const { text: phrases, identifiers } = findNever({ path, text });
  return [...phrases, ...identifiers].map(({ write }) => write);
}

const caught = NEVER.flatMap(({ caught, write }) => caught.map((text) => [text, write] as const));

test.each(caught)('the patterns find the forbidden phrase in %j', (text, write) => {
  expect(advice(text)).toEqual([write]);
});

test.each(NEVER.flatMap(({ allowed }) => allowed))('the patterns allow the text %j', (text) => {
  expect(advice(text)).toEqual([]);
});

test('a report of a forbidden phrase contains the file, the line and the phrase', () => {
  const text = "/** A job. */\nconst x = `a ${y ? 'goes on here' : ''}`;\nconst told = '`';\n";
  expect(findNever({ path: 'src/x.ts', text })).toMatchObject({
    text: [{ path: 'src/x.ts', line: 2, found: 'goes on' }],
    identifiers: [{ path: 'src/x.ts', line: 3, found: 'told' }],
  });
});

test('a forbidden identifier that occurs several times in a file is reported once', () => {
  expect(advice('told.push(told.length);')).toHaveLength(1);
});

test('the complete text of a Markdown file is searched for forbidden phrases', () => {
  expect(advice("The daemon's job goes on, and `nobody` waits.", 'docs/x.md')).toHaveLength(2);
});

test('a regular expression that contains quotes does not hide a forbidden phrase in the comment after it', () => {
  expect(advice('const x = /[\'`"]/;\n// It goes on.\n')).toHaveLength(1);
});
