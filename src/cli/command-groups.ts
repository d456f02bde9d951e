/** The commands as the help lists them: by what a newcomer looks for, the daily ones first. */

import type { Command } from 'commander';

export const COMMAND_GROUPS = {
  'Folders that are mirrored:': words(
    'init up down dashboard status jobs conflicts forget alerts log doctor support-bundle config daemon serve service',
  ),
  'Getting things back:': words('restore undo at wait verify drill'),
  'Objects:': words('ls put get cp mv rm info versions tag meta encrypt link'),
  'Buckets:': words('mb rb bucket versioning lifecycle quota website cors metrics alarms'),
  'Locks:': words('locks release lock retention hold'),
  'Who may do what:': words('whoami credentials keys users groups projects acl policy'),
  'Container clusters:': words('clusters nodegroups'),
  'The store itself:': words('store backup-state restore-state'),
  'The command line itself:': words('completion man'),
} satisfies Readonly<Record<string, readonly string[]>>;

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** Commands are listed in the order of the groups, whatever order they were declared in. */
export function groupCommands(program: Command): void {
  for (const [heading, names] of Object.entries(COMMAND_GROUPS)) {
    for (const command of program.commands) {
      if (names.some((name) => name === command.name())) command.helpGroup(heading);
    }
  }
}

/** For the help of the program; groups within a command keep the order of their declaration. */
export function inOrder(commands: readonly Command[]): Command[] {
  const order: readonly string[] = Object.values(COMMAND_GROUPS).flat();
  return commands.toSorted((one, other) => order.indexOf(one.name()) - order.indexOf(other.name()));
}
