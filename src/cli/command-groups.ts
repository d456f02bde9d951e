/** Defines the groups of commands in the help, and lists the commands of each group. */

import type { Command } from 'commander';

const MORE = 'More commands:';

export const COMMAND_GROUPS = {
  'Back up:': words('init up down status job'),
  'Get back:': words('restore undo history diff'),
  'Prove:': words('verify test wait doctor'),
  [MORE]: words(
    'dashboard lock conflict target s3 cluster admin monitor service config log support-bundle completion help version',
  ),
} satisfies Readonly<Record<string, readonly string[]>>;

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** Sets the group of each command, and sorts the commands by group. */
export function groupCommands(program: Command): void {
  const order: readonly string[] = Object.values(COMMAND_GROUPS).flat();
  const commands = program.commands as Command[];
  commands.sort((one, other) => order.indexOf(one.name()) - order.indexOf(other.name()));
  for (const [heading, names] of Object.entries(COMMAND_GROUPS)) {
    for (const command of program.commands) {
      if (names.some((name) => name === command.name())) command.helpGroup(heading);
    }
  }
}

/** Returns whether the program's help describes the command. For all other commands, the help lists only the names. */
export function isMain(name: string): boolean {
  return !COMMAND_GROUPS[MORE].includes(name);
}

/** Returns a heading and two lines with the names of the commands that the help does not describe. */
export function moreCommands(): string {
  const names = COMMAND_GROUPS[MORE];
  const half = Math.ceil(names.length / 2);
  const lines = [names.slice(0, half), names.slice(half)].map((line) => `  ${line.join('  ')}`);
  return ['More commands (holdfast help --all lists everything):', ...lines].join('\n');
}

const NAME_CELLS = 32;

/** Returns one line for each runnable command, by group. A command that only groups subcommands has no line. */
export function allCommands(program: Command): string {
  return Object.entries(COMMAND_GROUPS)
    .map(([heading, names]) => {
      const found = names.flatMap((name) =>
        program.commands.filter((each) => each.name() === name),
      );
      return [heading, ...found.flatMap((command) => leafLines(command, ''))].join('\n');
    })
    .join('\n\n');
}

function leafLines(command: Command, above: string): string[] {
  const path = `${above}${command.name()}`;
  const below = command.commands.flatMap((each) => leafLines(each, `${path} `));
  if (below.length > 0 && command.registeredArguments.length === 0) return below;
  return [`  ${path.padEnd(NAME_CELLS)} ${command.summary()}`, ...below];
}

/** The examples in the help and on the manual page of the program. */
export const FIRST_STEPS = `
Examples:
  $ holdfast up ~/Documents          back up a folder, and keep it backed up
  $ holdfast restore documents --to /tmp/back --at "2h ago"
`;
