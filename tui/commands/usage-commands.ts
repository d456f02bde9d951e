/** The commands on the screens that show which folders use the space in a bucket. */

import type { Command } from './command.ts';

export const USAGE_COMMANDS = [
  { id: 'usage.recount', title: 'count again', keys: ['c'], hint: 'count again' },
  { id: 'usage.objects', title: 'show the objects of the folder', keys: ['b'], hint: 'objects' },
  {
    id: 'usage.keep',
    title: 'compare rules for old versions of the job',
    keys: ['K'],
    hint: 'keep rules',
  },
  { id: 'usage.lifecycle', title: 'lifecycle rules of the bucket', keys: ['e'], hint: 'lifecycle' },
] as const satisfies readonly Command[];

export const KEEP_RULES_COMMANDS = [] as const satisfies readonly Command[];
