/** Tests of the choice of the processes that Ctrl-Z stops. */

import { expect, test } from 'vitest';

import { groupsOf, stopTarget } from '../../../tui/terminal/stop-job.ts';

test.each([
  ['the whole process group if it has the terminal', { own: 40, foreground: 40 }, 0],
  ['only the process itself if another group has the terminal', { own: 40, foreground: 41 }, 42],
  [
    'only the process itself if standard input is not the controlling terminal',
    { own: 40, foreground: -1 },
    42,
  ],
])('Ctrl-Z stops %s', (_, groups, target) => {
  expect(stopTarget(groups, 42)).toBe(target);
});

test('the dashboard reads the process groups from /proc for any name of the program', () => {
  const stat = '4242 (a) b (c)) S 4000 4240 3999 34817 4239 4194304 100 0';
  expect(groupsOf(stat)).toEqual({ own: 4240, foreground: 4239 });
});
