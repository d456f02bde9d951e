/** Declares `holdfast config` with its subcommands. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const config = declare(program, {
    usage: 'config',
    summary: 'check or reload the configuration',
    more: 'The configuration is config.yaml in the home.',
    examples: ['holdfast config check && holdfast config reload'],
  }).helpCommand(false);
  declare(config, {
    usage: 'check [file]',
    summary: 'report all problems of a configuration file',
    more: 'Without FILE, checks config.yaml in the home. Needs no daemon.',
    examples: ['holdfast config check', 'holdfast config check ./config.yaml'],
  }).action((file: string | undefined) =>
    run(async (context) => (await import('./check.ts')).configCheck(context, file)),
  );
}
