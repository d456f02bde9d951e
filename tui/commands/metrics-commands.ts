/** The commands for metrics and alarms. */

import type { Command } from './command.ts';

export const METRICS_COMMANDS = [
  { id: 'metrics.longer', title: 'a longer span of time', keys: ['+', '='], hint: 'span' },
  { id: 'metrics.shorter', title: 'a shorter span of time', keys: ['-'] },
  {
    id: 'metrics.statistic',
    title: 'the next statistic of the series',
    keys: ['S'],
    hint: 'statistic',
  },
  {
    id: 'metrics.monitor',
    title: 'turn monitoring of the bucket on or off',
    keys: ['M'],
    danger: 1,
    hint: 'monitor',
  },
  { id: 'alarms.acknowledge', title: 'acknowledge the alarm', keys: ['A'], hint: 'acknowledge' },
  { id: 'alarms.new', title: 'new alarm for the bucket', keys: ['n'], hint: 'new' },
  { id: 'alarms.edit', title: 'edit the alarm', keys: ['e'], hint: 'edit' },
  { id: 'alarms.test', title: "run the alarm's actions once, as a test", keys: ['T'], danger: 2 },
  { id: 'alarms.delete', title: 'delete the alarm', keys: ['D'], danger: 2, hint: 'delete' },
] as const satisfies readonly Command[];

type Any = (typeof METRICS_COMMANDS)[number];
type OfAlarm = Exclude<
  Extract<Any, { readonly id: `alarms.${string}` }>,
  { readonly id: 'alarms.new' }
>;

export const ALARM_COMMANDS = METRICS_COMMANDS.filter(
  (command: Any): command is OfAlarm =>
    command.id.startsWith('alarms.') && command.id !== 'alarms.new',
);
