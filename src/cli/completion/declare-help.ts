/** Declares the commands `completion`, which also prints the manual page, `help` and `version`. */

import type { Command } from 'commander';

import { allCommands } from '../command-groups.ts';
import type { Context } from '../context.ts';
import { declare } from '../declare.ts';
import type { Run } from '../program.ts';
import { unknownError } from '../unknown-command.ts';
import { ownVersion } from '../version.ts';

/** Texts that the program's help and the manual page share. */
export interface ProgramTexts {
  readonly examples: string;
  readonly exitCodes: string;
}

export function declareHelpCommands(program: Command, run: Run, texts: ProgramTexts): void {
  declare(program, {
    usage: 'completion <shell> [line...]',
    summary: 'print the completion script for bash, zsh or fish, or the manual page',
    more: 'SHELL is bash, zsh, fish, or man for the manual page. The scripts run `holdfast completion line -- WORDS`.',
    examples: [
      'eval "$(holdfast completion bash)"      # in ~/.bashrc; zsh likewise',
      'holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
      'holdfast completion man | man -l -',
    ],
  }).action((shell: string, line: readonly string[]) =>
    run(async (context) => {
      if (shell === 'man')
        return printManPage(context, program, `${texts.examples}\n\n${texts.exitCodes}`);
      await (await import('./completion.ts')).completion(context, program, shell, line);
    }),
  );
  declare(program, {
    usage: 'help [command...]',
    summary: 'show the help of a command, or with --all a list of all commands',
    examples: ['holdfast help restore', 'holdfast help --all'],
  })
    .option('--all', 'list all commands')
    .action((names: readonly string[], { all }: { readonly all?: boolean }) =>
      run(async (context) => {
        if (all) await context.out.lines(...allCommands(program).split('\n'), '', texts.exitCodes);
        else commandAt(program, names).outputHelp();
      }),
    );
  declare(program, {
    usage: 'version',
    summary: 'print the version',
    examples: ['holdfast version', 'holdfast version --json'],
  }).action(() =>
    run(async (context) =>
      context.json ? context.out.json({ version: ownVersion() }) : context.out.lines(ownVersion()),
    ),
  );
}

/**
 * Returns the command with these names, from the topic to the subcommand. Throws CommandError `Usage` if it is unknown.
 */
function commandAt(program: Command, names: readonly string[]): Command {
  let command = program;
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name);
    if (!next) throw unknownError({ parent: command, word: name }, program);
    command = next;
  }
  return command;
}

async function printManPage(context: Context, program: Command, closing: string): Promise<void> {
  const { manPage } = await import('./man-page.ts');
  const page = manPage(program, { version: ownVersion(), closing });
  await context.out.lines(...page.trimEnd().split('\n'));
}
