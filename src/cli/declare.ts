/** One command of the command line: its usage, its summary, its examples. */

import type { Command } from 'commander';

export interface Declaration {
  /** Name and arguments, as commander reads them: `get <object> [file]`. */
  readonly usage: string;
  /** What it was called before: still taken, and shown nowhere. */
  readonly formerly?: string;
  readonly summary: string;
  /** What the summary leaves out. */
  readonly more?: string;
  /** Each a whole command line, with what it does behind `#` where that is not plain. */
  readonly examples: readonly string[];
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** As they were declared. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

export function declare(parent: Command, declaration: Declaration): Command {
  const { usage, formerly, summary, more, examples } = declaration;
  const lines = examples.map((example) => `  $ ${example}`);
  const command = parent.command(usage);
  EXAMPLES.set(command, examples);
  if (formerly !== undefined) command.alias(formerly);
  return command
    .summary(summary)
    .description([sentence(summary), more].filter(Boolean).join(' '))
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** For an option that may be given several times: `--exclude A --exclude B`. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
