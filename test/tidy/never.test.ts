/** Each never pattern finds its phrase in text and identifiers, and allows similar correct text. */

import { expect, test } from 'vitest';

import { findNever, NEVER } from './never.ts';

function advice(text: string, path = 'src/x.ts'): string[] {
  const { text: phrases, identifiers } = findNever({ path, text });
  return [...phrases, ...identifiers].map(({ write }) => write);
}

const caught = NEVER.flatMap(({ caught, write }) => caught.map((text) => [text, write] as const));

test.each(caught)('finds the phrase in %j', (text, write) => {
  expect(advice(text)).toEqual([write]);
});

test.each(NEVER.flatMap(({ allowed }) => allowed))('allows %j', (text) => {
  expect(advice(text)).toEqual([]);
});

test('names the file, the line and the phrase of a finding', () => {
  const text = "/** A job. */\nconst x = `a ${y ? 'goes on here' : ''}`;\nconst told = '`';\n";
  expect(findNever({ path: 'src/x.ts', text })).toMatchObject({
    text: [{ path: 'src/x.ts', line: 2, found: 'goes on' }],
    identifiers: [{ path: 'src/x.ts', line: 3, found: 'told' }],
  });
});

test('reports each identifier of a file once', () => {
  expect(advice('told.push(told.length);')).toHaveLength(1);
});

test('reads a Markdown file as text', () => {
  expect(advice("The daemon's job goes on, and `nobody` waits.", 'docs/x.md')).toHaveLength(2);
});

test('continues after a regular expression that contains quotes', () => {
  expect(advice('const x = /[\'`"]/;\n// It goes on.\n')).toHaveLength(1);
});
