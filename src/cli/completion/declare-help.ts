/** Declares the commands `completion` (which also prints the manual page), `help` and `version`. */

import type { Command } from 'commander';

import { allCommands, FIRST_STEPS } from '../command-groups.ts';
import type { Context } from '../context.ts';
import { declare } from '../declare.ts';
import { exitCodesLine } from '../output/command-error.ts';
import type { Run } from '../program.ts';
import { unknownError } from '../unknown-command.ts';
import { ownVersion } from '../version.ts';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'completion <shell> [line...]',
    summary: 'print the completion script for bash, zsh or fish, or a manual page',
    more:
      'SHELL is bash, zsh, fish, or man for the manual page of the program or of a command. The scripts run ' +
      '`holdfast completion line -- WORDS`.',
    examples: [
      'eval "$(holdfast completion bash)"      # in ~/.bashrc; zsh likewise',
      'holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
      'holdfast completion man restore | man -l -',
    ],
  }).action((shell: string, line: readonly string[]) =>
    run(async (context) => {
      if (shell === 'man')
        return printManPage(context, program, line, `${FIRST_STEPS}\n\n${exitCodesLine()}`);
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
        if (all) await context.out.lines(...allCommands(program).split('\n'), '', exitCodesLine());
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
 * Returns the command with these names, from the topic to the subcommand. Throws CommandError `Usage` if the command is
 * unknown.
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

/** Prints the manual page of the program, or of the command `names`. With `--json`, prints all pages by file name. */
async function printManPage(
  context: Context,
  program: Command,
  names: readonly string[],
  closing: string,
): Promise<void> {
  const { commandManPage, manPage } = await import('./man-page.ts');
  const version = ownVersion();
  const pageOf = (command: Command) =>
    command === program ? manPage(program, { version, closing }) : commandManPage(command, version);
  if (!context.json)
    return context.out.lines(...pageOf(commandAt(program, names)).trimEnd().split('\n'));
  const pages = [program, ...program.commands].map((command) => {
    const name = command === program ? '' : `-${command.name()}`;
    return [`holdfast${name}.1`, pageOf(command)];
  });
  await context.out.json(Object.fromEntries(pages));
}
