/** Tests of which processes Ctrl-Z stops. */

import { expect, test } from 'vitest';

import { stopTarget } from '../../../tui/term/stop-job.ts';

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
