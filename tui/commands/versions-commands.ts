/** The commands on the screen that lists an object's versions. */

import type { Command } from './command.ts';

export const VERSIONS_COMMANDS = [
  {
    id: 'versions.restore',
    title: 'make the version current again',
    keys: ['R'],
    danger: 1,
    hint: 'restore',
  },
  { id: 'versions.diff', title: 'compare two versions', keys: ['='], hint: 'diff' },
  {
    id: 'versions.delete',
    title: 'delete the version, or the marked ones',
    keys: ['d'],
    danger: 3,
    hint: 'delete',
  },
  { id: 'versions.lock', title: 'lock', keys: ['L'], danger: 3, hint: 'lock' },
  { id: 'versions.hold', title: 'legal hold on or off', keys: ['H'], danger: 1, hint: 'hold' },
  { id: 'versions.preview', title: 'preview the version', keys: ['p'], hint: 'preview' },
  { id: 'versions.save', title: 'save the version to a file', keys: ['s'] },
  { id: 'versions.link', title: 'download link to the version', keys: ['u'] },
  {
    id: 'versions.folder',
    title: "show its folder as of that time, in the job's restore browser",
    keys: ['t'],
  },
] as const satisfies readonly Command[];
