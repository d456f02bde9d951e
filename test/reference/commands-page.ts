/** Generates the tables of docs/reference/commands.md from the declared commands. */

import { type Command, Help } from 'commander';

import { destructionOf } from '../../src/cli/declare.ts';
import { declaredProgram } from '../helpers/declared-program.ts';

export async function commandsTables(): Promise<string> {
  const program = await declaredProgram();
  const groups = Map.groupBy(new Help().visibleCommands(program), (each) =>
    each.commands.length > 0 ? `holdfast ${each.name()}` : each.helpGroup(),
  );
  return [...groups].map(([heading, commands]) => tableOf(heading, commands)).join('\n\n');
}

function tableOf(heading: string, commands: readonly Command[]): string {
  const rows = commands.flatMap((each) => rowsOf(each, ''));
  const head = ['| command | what it does |', '| --- | --- |'];
  return [`## ${heading.replace(/:$/, '')}`, '', ...head, ...rows].join('\n');
}

function rowsOf(command: Command, above: string): string[] {
  const path = `${above}${command.name()}`;
  const below = command.commands.flatMap((each) => rowsOf(each, `${path} `));
  if (below.length > 0) return below;
  const names = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  const usage = `holdfast ${path}${names.join('')}`.replaceAll('|', '\\|');
  const asks = destructionOf(command) ? ' (asks; `--yes`)' : '';
  return [`| \`${usage}\` | ${command.summary().replaceAll('|', '\\|')}${asks} |`];
}
