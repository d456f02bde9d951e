/** The commands about the command line itself: completion for shells, and the manual page. */

import type { Command } from 'commander';

import { declare } from '../declare.ts';
import type { Run } from '../program.ts';
import { ownVersion } from '../version.ts';

export function declareHelpCommands(program: Command, run: Run, closing: string): void {
  declare(program, {
    usage: 'completion <shell> [line...]',
    summary: 'print what makes bash, zsh or fish complete commands, options, jobs and buckets',
    more: 'What it prints asks `holdfast completion line -- WORDS` at each key.',
    examples: [
      'eval "$(holdfast completion bash)"      # in ~/.bashrc; zsh likewise',
      'holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
    ],
  }).action((shell: string, line: readonly string[]) =>
    run(async (context) =>
      (await import('./completion.ts')).completion(context, program, shell, line),
    ),
  );
  declare(program, {
    usage: 'man',
    summary: 'print the manual page',
    examples: ['holdfast man | man -l -'],
  }).action(() =>
    run(async (context) => {
      const { manPage } = await import('./man-page.ts');
      const page = manPage(program, { version: ownVersion(), closing });
      await context.out.lines(...page.trimEnd().split('\n'));
    }),
  );
}
