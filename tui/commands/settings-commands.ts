/** The commands for bucket settings and lifecycle rules. */

import type { Command } from './command.ts';

export const SETTINGS_COMMANDS = [
  { id: 'settings.edit', title: 'change the setting', keys: ['e'], hint: 'change' },
] as const satisfies readonly Command[];

export const LIFECYCLE_COMMANDS = [
  { id: 'lifecycle.new', title: 'new rule', keys: ['n'], hint: 'new' },
  { id: 'lifecycle.edit', title: 'change the rule', keys: ['e'], hint: 'change' },
  {
    id: 'lifecycle.switch',
    title: 'turn the rule on or off',
    keys: ['p'],
    danger: 1,
    hint: 'on/off',
  },
  { id: 'lifecycle.delete', title: 'delete the rule', keys: ['D'], danger: 1, hint: 'delete' },
  {
    id: 'lifecycle.preview',
    title: 'preview what a run would do now',
    keys: ['w'],
    hint: 'preview',
  },
] as const satisfies readonly Command[];
