/** The commands on the comparison screen. */

import type { Command } from './command.ts';

export const DIFF_COMMANDS = [
  { id: 'diff.next', title: 'next difference', keys: [']', 'n'], hint: 'next', offline: true },
  {
    id: 'diff.previous',
    title: 'previous difference',
    keys: ['[', 'N'],
    hint: 'previous',
    offline: true,
  },
  {
    id: 'diff.whole',
    title: 'all lines, or only those near a difference',
    keys: ['w'],
    hint: 'whole',
    offline: true,
  },
] as const satisfies readonly Command[];
