/** The commands of the locks screen. */

import type { Command } from './command.ts';

export const LOCKS_COMMANDS = [
  { id: 'locks.why', title: 'which lock has a path, and why?', keys: ['w'], hint: 'why' },
  {
    id: 'locks.release',
    title: 'release: end the renewal of a file or folder',
    keys: ['L'],
    danger: 2,
    hint: 'release',
  },
  { id: 'locks.restore', title: "restore: the job's folder as it was", keys: ['t'] },
] as const satisfies readonly Command[];
