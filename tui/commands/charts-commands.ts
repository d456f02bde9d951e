/** The commands that change which time span a chart shows. */

import type { Command } from './command.ts';

export const SPAN_COMMANDS = [
  { id: 'charts.longer', title: 'show a longer span of time', keys: ['+', '='], hint: 'span' },
  { id: 'charts.shorter', title: 'show a shorter span of time', keys: ['-'] },
] as const satisfies readonly Command[];
