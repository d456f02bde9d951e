/** Declares `holdfast monitor alerts` with its subcommands. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareAlertCommands(program: Command, run: Run): void {
  const alerts = declare(program, {
    usage: 'alerts',
    summary: 'say what is told of jobs that need attention, and try it out',
    more: '`alerts` in config.yaml says when, and by which actions.',
    examples: ['holdfast monitor alerts list', 'holdfast monitor alerts test documents'],
  }).helpCommand(false);

  declare(alerts, {
    usage: 'list',
    summary: 'list the open alerts',
    more: 'Exits with 3 where there is something.',
    examples: ['holdfast monitor alerts list'],
  }).action(() => run(async (context) => (await import('./alerts.ts')).listAlerts(context)));

  declare(alerts, {
    usage: 'test <job>',
    summary: 'do all actions once, as if the job were late',
    examples: ['holdfast monitor alerts test documents'],
  }).action((job: string) =>
    run(async (context) => (await import('./alerts.ts')).testAlerts(context, job)),
  );
}
