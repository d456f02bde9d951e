/** One command of the command line: its usage, its summary, its examples. */

import type { Command } from 'commander';

import type { Context } from './context.ts';

/** Options as commander read them, by their names in camel case. */
export type CallOptions = Readonly<Record<string, unknown>>;

export interface Call {
  readonly args: readonly string[];
  readonly options: CallOptions;
}

/**
 * What a command deletes for good, or which protection it ends. The question on a terminal, the option `--yes`, the refusal
 * without a terminal and the documentation derive from it.
 */
export interface Destruction {
  /** In the imperative: `remove bucket scratch`. Undefined for a call that destroys nothing, such as one with `--dry-run`. */
  readonly destroys: (
    args: readonly string[],
    options: CallOptions,
    context: Context,
  ) => string | undefined | Promise<string | undefined>;
  /** Lines printed before the question, such as how much there is. */
  readonly details?: (context: Context, call: Call) => Promise<readonly string[]>;
  /** The answer that confirms is the last argument, not `y`. */
  readonly asksForName?: boolean;
}

export interface Declaration extends Partial<Destruction> {
  /** Name and arguments, as commander reads them: `get <object> [file]`. */
  readonly usage: string;
  readonly summary: string;
  /** What the summary leaves out. */
  readonly more?: string;
  /** Each a whole command line, with what it does behind `#` where that is not plain. */
  readonly examples: readonly string[];
  /** The hint while no daemon runs, instead of the one that starts all jobs. */
  readonly hintWithoutDaemon?: string;
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();
const HINTS = new WeakMap<Command, string>();
const DESTRUCTIONS = new WeakMap<Command, Destruction>();
const ASKS = 'Asks before it does so; without a terminal it needs --yes.';

/** As they were declared. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

/** Undefined for a command that any daemon serves. */
export function hintWithoutDaemon(command: Command): string | undefined {
  return HINTS.get(command);
}

/** Undefined for a command that destroys nothing, whatever its arguments. */
export function destructionOf(command: Command): Destruction | undefined {
  return DESTRUCTIONS.get(command);
}

export function declare(parent: Command, declaration: Declaration): Command {
  const { usage, summary, more, examples, destroys, ...rest } = declaration;
  const { hintWithoutDaemon: hint, ...asking } = rest;
  const lines = examples.map((example) => `  $ ${example}`);
  const command = parent.command(usage);
  EXAMPLES.set(command, examples);
  if (hint !== undefined) HINTS.set(command, hint);
  if (destroys) {
    DESTRUCTIONS.set(command, { ...asking, destroys });
    command.option('-y, --yes', 'do not ask');
  }
  return command
    .summary(summary)
    .description([sentence(summary), more, destroys && ASKS].filter(Boolean).join(' '))
    .addHelpText('before', `Examples:\n${lines.join('\n')}\n`);
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** For an option that may be given several times: `--exclude A --exclude B`. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
