/** The numbers of `ratchet.json` are those of the tree: above them is an error, below them they are to be lowered. */

import { describe, expect, test } from 'vitest';

import { compare, count, describeRise, filesOfProject } from './ratchet.ts';
import { folderOf, readTable, risenInTotal } from './ratchet.ts';

describe('the tree', () => {
  const counted = count(filesOfProject());
  const committed = readTable();
  const { risen, fallen } = compare(counted.table, committed);

  test('has no more never phrases and repeated file names than ratchet.json allows', () => {
    const report = risen.flatMap((row) => describeRise(row, counted, committed));
    expect(report.join('\n')).toBe('');
  });

  test('has no fewer of them than ratchet.json says', () => {
    const report = fallen.map((row) => `${row}: lower its number: npm run ratchet`);
    expect(report).toEqual([]);
  });
});

const file = (path: string, text: string) => ({ path, text });
const before = [
  file('src/a/b/one.ts', '// It goes on.\n'),
  file('src/a/c/one.ts', 'const told = 1;'),
  file('tui/one.ts', '// It stands here.'),
];
const { table } = count(before);

test('counts by folder, and the names of files that occur more than twice', () => {
  expect(table).toEqual({
    text: { 'src/a/b': 1, tui: 1 },
    identifiers: { 'src/a/c': 'told' },
    fileNames: { 'one.ts': 3 },
  });
});

test.each([
  ['src/mirror/state/tables/x.ts', 'src/mirror/state'],
  ['src/mirror/x.ts', 'src/mirror'],
  ['test/unit/mirror/x.test.ts', 'test/unit/mirror'],
  ['tui/screens/jobs/x.ts', 'tui/screens'],
  ['src/engine/FORMAT.md', 'src/engine'],
  ['docs/decisions/x.md', 'docs'],
  ['README.md', 'docs'],
])('counts %s in %s', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each([
  ['a phrase', file('src/a/b/two.ts', '// Nobody waits.'), ['src/a/b'], ['the phrases in text']],
  [
    'a phrase in a new folder',
    file('src/d/two.ts', '// Told.'),
    ['src/d'],
    ['the phrases in text'],
  ],
  ['an identifier', file('src/d/two.ts', 'tellAll();'), ['src/d: tellAll'], ['tellAll']],
  ['a file name', file('src/d/one.ts', ''), ['one.ts'], ['one.ts']],
])('finds %s that is added, and refuses to raise the numbers', (_, added, rows, totals) => {
  const after = count([...before, added]).table;
  expect(compare(after, table)).toEqual({ risen: rows, fallen: [] });
  expect(risenInTotal(after, table)).toEqual(totals);
});

test('finds what is removed', () => {
  expect(compare(count([]).table, table)).toEqual({
    risen: [],
    fallen: ['src/a/b', 'tui', 'src/a/c: told', 'one.ts'],
  });
});

test('allows new numbers after files have moved', () => {
  const moved = before.map((each) => file(each.path.replace('src/a', 'src/d'), each.text));
  const after = count(moved).table;
  expect(compare(after, table).risen).toEqual(['src/d/b', 'src/d/c: told']);
  expect(risenInTotal(after, table)).toEqual([]);
});
