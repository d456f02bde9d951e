import { expect, test } from 'vitest';

import { parseStatements, unproven } from '../../helpers/specification.ts';

const ROW = {
  id: 'lock-1',
  states: 'a lock holds',
  source: 'storage, Locks',
  file: 'test/a.test.ts',
};
const PROOF = { file: ROW.file, title: 'locks > [lock-1] a lock holds', passed: true };

test('the table of statements in SPECIFICATION.md is parsed without its heading and the text around it', () => {
  const table = `# Title\n\n| id | what | where | test |\n| --- | --- | --- | --- |\n| lock-1 | a lock holds | storage, Locks | \`test/a.test.ts\` |\n`;
  expect(parseStatements(table)).toEqual([ROW]);
  expect(() => parseStatements('| lock-1 | too few |')).toThrow('invalid row');
});

test.each([
  ['nothing, when a test with the id passed', [PROOF], []],
  ['a failed test', [{ ...PROOF, passed: false }], ['[lock-1] failed in test/a.test.ts']],
  [
    'one failed test of several',
    [PROOF, { ...PROOF, passed: false }],
    ['[lock-1] failed in test/a.test.ts'],
  ],
  [
    'an id that no title contains',
    [{ ...PROOF, title: 'a lock holds' }],
    ['[lock-1] is in no title of test/a.test.ts that ran'],
  ],
  ['a file that did not run', [], ['[lock-1] cites test/a.test.ts, which did not run']],
  [
    'an id without a row',
    [PROOF, { ...PROOF, title: '[lock-2] more' }],
    ['[lock-2] in test/a.test.ts has no row'],
  ],
])('the report of unproven statements in SPECIFICATION.md contains %s', (_, tests, problems) => {
  expect(unproven([ROW], tests, { everythingRan: true })).toEqual(problems);
});

test('the report of unproven statements contains only statements whose test files ran', () => {
  expect(unproven([ROW], [], { everythingRan: false })).toEqual([]);
});

test('the report names a statement id that two rows of the table share', () => {
  expect(unproven([ROW, ROW], [PROOF], { everythingRan: true })).toEqual(['[lock-1] has two rows']);
});
