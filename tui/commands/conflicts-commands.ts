/**
 * The commands on the conflicts screen, and on the screen that compares the two sides of a
 * conflict.
 */

import type { Command } from './command.ts';

export const CONFLICT_COMMANDS = [
  {
    id: 'conflicts.local',
    title: 'keep the local file (of all marked conflicts)',
    keys: ['A'],
    danger: 2,
    hint: 'local',
  },
  {
    id: 'conflicts.remote',
    title: "keep the bucket's object (of all marked conflicts)",
    keys: ['B'],
    danger: 2,
    hint: 'bucket',
  },
  {
    id: 'conflicts.both',
    title: 'keep both under different names (of all marked conflicts)',
    keys: ['K'],
    danger: 2,
    hint: 'both',
  },
  { id: 'conflicts.diff', title: 'compare both sides', keys: ['='], hint: 'diff' },
  {
    id: 'conflicts.policy',
    title: "the job's policy for new conflicts",
    keys: ['P'],
    danger: 1,
  },
  { id: 'conflicts.versions', title: 'versions in the bucket', keys: ['v'] },
  { id: 'conflicts.all', title: 'show or hide resolved conflicts', keys: ['s'] },
] as const satisfies readonly Command[];
