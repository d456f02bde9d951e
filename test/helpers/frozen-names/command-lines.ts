/**
 * Lists the exit codes and the commands with their arguments and options, as the program declares
 * them.
 */

import type { Command, Option } from 'commander';

import { EXIT } from '../../../src/cli/output/command-error.ts';
import { declaredProgram } from '../declared-program.ts';

export async function commandLines(): Promise<string[]> {
  const program = await declaredProgram();
  const codes = Object.entries(EXIT).map(([name, code]) => `exit code ${code}: ${name}`);
  return [...codes, ...linesOf(program, '')];
}

function linesOf(command: Command, above: string): string[] {
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const name = `${above}${command.name()}`;
  const aliases = command.aliases().map((alias) => ` (also ${alias})`);
  const own = [name, ...words].join(' ') + aliases.join('');
  const below = command.commands.toSorted((a, b) => (a.name() < b.name() ? -1 : 1));
  return [
    '',
    own,
    ...command.options.map(optionLine).toSorted(),
    ...below.flatMap((each) => linesOf(each, `${name} `)),
  ];
}

function optionLine({ flags, mandatory, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? `: ${argChoices.join(' | ')}` : '';
  const fallback = defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`;
  return `  ${flags}${mandatory ? ' (required)' : ''}${choices}${fallback}`;
}
