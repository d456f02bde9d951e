/** Tests of which processes Ctrl-Z stops. */

import { expect, test } from 'vitest';

import { groupsOf, stopTarget } from '../../../tui/terminal/stop-job.ts';

test.each([
  ['the whole process group where it has the terminal', { own: 40, foreground: 40 }, 0],
  ['only itself where another group has the terminal', { own: 40, foreground: 41 }, 42],
  [
    'only itself where standard input is not the controlling terminal',
    { own: 40, foreground: -1 },
    42,
  ],
])('Ctrl-Z stops %s', (_, groups, target) => {
  expect(stopTarget(groups, 42)).toBe(target);
});

test('the process groups are read from /proc, whatever the name of the program', () => {
  const stat = '4242 (a) b (c)) S 4000 4240 3999 34817 4239 4194304 100 0';
  expect(groupsOf(stat)).toEqual({ own: 4240, foreground: 4239 });
});
