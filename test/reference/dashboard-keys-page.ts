/** Generates the table of docs/reference/dashboard-keys.md from the commands of the dashboard. */

import type { Command } from '../../tui/commands/command.ts';
import { EVERYWHERE, LIST } from '../../tui/commands/commands.ts';
import { shownKey } from '../../tui/input/key-names.ts';
import { DOWN_COMMANDS, UNDO } from '../../tui/commands/passing-commands.ts';
import { SCREEN_COMMANDS } from '../../tui/commands/screen-commands.ts';

/**
 * Returns a section for each group of commands. A command of several screens is listed only for the
 * first of them.
 */
export function keysTables(): string {
  const listed = new Set<string>();
  const groups: readonly (readonly [string, readonly Command[]])[] = [
    ['On every screen', [...EVERYWHERE, UNDO, ...DOWN_COMMANDS]],
    ['In every list', LIST],
    ...Object.entries(SCREEN_COMMANDS).map(
      ([scope, commands]) => [`Screen \`${scope}\``, commands] as const,
    ),
  ];
  return groups
    .map(
      ([title, commands]) =>
        [title, commands.filter(({ id }) => !listed.has(id) && listed.add(id))] as const,
    )
    .filter(([, commands]) => commands.length > 0)
    .map(([title, commands]) =>
      [
        `## ${title}`,
        '',
        '| command | keys | |',
        '| --- | --- | --- |',
        ...commands.map(rowOf),
      ].join('\n'),
    )
    .join('\n\n');
}

function rowOf({ id, keys, title }: Command): string {
  const shown = keys.map((key) => `\`${shownKey(key).replaceAll('|', '\\|')}\``);
  return `| \`${id}\` | ${shown.join(' ')} | ${title} |`;
}
