/** The commands on the activity screen. */

import type { Command } from './command.ts';

export const ACTIVITY_COMMANDS = [
  {
    id: 'activity.follow',
    title: 'follow new entries, or stop following',
    keys: ['f'],
    hint: 'follow',
    offline: true,
  },
  {
    id: 'activity.level',
    title: 'lowest level that is shown',
    keys: ['L'],
    hint: 'level',
    offline: true,
  },
  {
    id: 'activity.previousError',
    title: 'previous error',
    keys: ['['],
    hint: 'error',
    hintKind: 'movement',
    offline: true,
  },
  { id: 'activity.nextError', title: 'next error', keys: [']'], offline: true },
  {
    id: 'activity.export',
    title: 'export what is shown to a file',
    keys: ['X'],
    hint: 'export',
    offline: true,
  },
] as const satisfies readonly Command[];
