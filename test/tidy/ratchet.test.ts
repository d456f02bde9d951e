/**
 * Tests that the project contains no forbidden phrases, and that the numbers in `ratchet.json`
 * equal the current counts of repeated file names.
 */

import { expect, test } from 'vitest';

import { countNames, filesOfProject, forbidden, readCounts, risen } from './ratchet.ts';

const files = filesOfProject();
const found = forbidden(files);

test('the project contains no forbidden phrases and identifiers', () => {
  expect(found.join('\n')).toBe('');
});

test('ratchet.json contains the current numbers of repeated file names', () => {
  const [now, before] = [countNames(files), readCounts()];
  const more = risen(now, before).map((name) => `${name}: choose a name that states the subject`);
  const fewer = risen(before, now).map((name) => `${name}: lower its number: npm run ratchet`);
  expect([...more, ...fewer]).toEqual([]);
});

const file = (path: string, text: string) => ({ path, text });
const sample = [
  file('src/a/b/one.ts', '// It goes on.\n'),
  file('src/a/c/one.ts', 'const told = 1;'),
  file('tui/one.ts', ''),
  file('tui/two.ts', ''),
];

test('forbidden phrases and identifiers are found with file and line', () => {
  expect(forbidden(sample)).toEqual([
    expect.stringMatching(/^src\/a\/b\/one\.ts:1: never "goes on"; write: /),
    expect.stringMatching(/^src\/a\/c\/one\.ts:1: never "told"; write: /),
  ]);
});

test('repeated file names are counted only if they occur more than twice', () => {
  expect(countNames(sample)).toEqual({ 'one.ts': 3 });
});

test('a file name that occurs more often is reported', () => {
  const before = countNames(sample);
  const after = countNames([...sample, file('src/d/one.ts', '')]);
  expect([risen(after, before), risen(before, after)]).toEqual([['one.ts'], []]);
});
