/** The commands on the locks screen. */

import type { Command } from './command.ts';

export const LOCKS_COMMANDS = [
  { id: 'locks.why', title: 'show the lock of a path, and why', keys: ['w'], hint: 'why' },
  {
    id: 'locks.release',
    title: 'release: stop renewing the locks of a file or folder',
    keys: ['L'],
    danger: 2,
    hint: 'release',
  },
  { id: 'locks.restore', title: "restore the job's folder as of an earlier time", keys: ['t'] },
] as const satisfies readonly Command[];
