/**
 * Tests that the numbers in `ratchet.json` equal the current counts of the project. A higher count
 * is an error. After a lower count, the number must be lowered.
 */

import { describe, expect, test } from 'vitest';

import { compare, count, describeRise, filesOfProject } from './ratchet.ts';
import { folderOf, readTable, risenInTotal, rowsOfCorrected } from './ratchet.ts';

describe('the numbers in ratchet.json', () => {
  const counted = count(filesOfProject());
  const committed = readTable();
  const { risen, fallen } = compare(counted.table, committed);

  test('the project contains no more forbidden phrases and repeated file names than ratchet.json allows', () => {
    const report = risen.flatMap((row) => describeRise(row, counted, committed));
    expect(report.join('\n')).toBe('');
  });

  test('only folders that are listed as uncorrected contain forbidden phrases', () => {
    const rows = rowsOfCorrected(counted.table);
    const report = rows.flatMap((row) => describeRise(row, counted, committed));
    expect(report.join('\n')).toBe('');
  });

  test('ratchet.json allows no more forbidden phrases and repeated file names than the project contains', () => {
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

test('forbidden phrases are counted by folder, and repeated file names only if they occur more than twice', () => {
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
  ['CHANGELOG.md', 'CHANGELOG.md'],
])('a forbidden phrase in %s counts for %s', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test.each([
  [
    'another forbidden phrase',
    file('src/a/b/two.ts', '// Nobody waits.'),
    ['src/a/b'],
    ['the phrases in text'],
  ],
  [
    'a forbidden phrase in a new folder',
    file('src/d/two.ts', '// Told.'),
    ['src/d'],
    ['the phrases in text'],
  ],
  ['a forbidden identifier', file('src/d/two.ts', 'tellAll();'), ['src/d: tellAll'], ['tellAll']],
  ['a repeated file name', file('src/d/one.ts', ''), ['one.ts'], ['one.ts']],
])(
  'ratchet.json cannot be updated to allow %s, and the check reports the increase',
  (_, added, rows, totals) => {
    const after = count([...before, added]).table;
    expect(compare(after, table)).toEqual({ risen: rows, fallen: [] });
    expect(risenInTotal(after, table)).toEqual(totals);
  },
);

test('a forbidden phrase or identifier in a corrected folder is reported, even if ratchet.json allows it', () => {
  expect(rowsOfCorrected(table)).toEqual(['src/a/b', 'src/a/c: told']);
});

test('the check reports counts that are lower than the numbers in ratchet.json', () => {
  expect(compare(count([]).table, table)).toEqual({
    risen: [],
    fallen: ['src/a/b', 'tui', 'src/a/c: told', 'one.ts'],
  });
});

test('the numbers in ratchet.json may change between folders if files are moved', () => {
  const moved = before.map((each) => file(each.path.replace('src/a', 'src/d'), each.text));
  const after = count(moved).table;
  expect(compare(after, table).risen).toEqual(['src/d/b', 'src/d/c: told']);
  expect(risenInTotal(after, table)).toEqual([]);
});
