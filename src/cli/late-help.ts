/** Loads parts of the help that only one command shows and that would slow down the start of all other commands. */

import type { Command } from 'commander';

type Load = () => Promise<string>;

const LATE = new WeakMap<Command, Load>();

/** Appends a text to the help of the command. The text is loaded when the help is shown. */
export function addLateHelp(command: Command, load: Load): void {
  LATE.set(command, load);
}

/**
 * If `argv` asks for help, loads the late help of the command in `argv`. It must be called before `argv` is parsed.
 */
export async function loadHelp(program: Command, argv: readonly string[]): Promise<void> {
  if (!argv.some((word) => ['-h', '--help', 'help'].includes(word))) return;
  let command = program;
  for (const word of argv.filter((each) => each !== 'help'))
    command = command.commands.find((each) => each.name() === word) ?? command;
  const load = LATE.get(command);
  if (load) command.addHelpText('after', `\n${await load()}`);
}
