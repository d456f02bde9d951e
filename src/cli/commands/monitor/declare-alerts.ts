/** Declares `holdfast monitor alerts` with its subcommands. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';

export function declareAlertCommands(program: Command): void {
  declare(program, {
    usage: 'alerts',
    summary: 'list the alerts about jobs, and test the alert actions',
    more: '`alerts` in config.yaml says when, and by which actions.',
    examples: ['holdfast monitor alerts list', 'holdfast monitor alerts test documents'],
  }).helpCommand(false);
}
