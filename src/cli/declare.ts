/** Declares a command: its usage, summary and examples, and what it destroys. */

import { type Command, Option } from 'commander';

import type { Context } from './context.ts';
import { wholeNumber } from './output/numbers.ts';

/** The options that commander parsed, by their names in camel case. */
export type CallOptions = Readonly<Record<string, unknown>>;

export interface Call {
  readonly args: readonly string[];
  readonly options: CallOptions;
}

/**
 * What a command deletes permanently, which protection it ends, or which irrevocable lock it sets. The confirmation
 * on a terminal, the option `--yes`, the error without a terminal and the documentation are derived from it.
 */
export interface Destruction {
  /**
   * Returns the action in the imperative mood, such as `remove bucket scratch`. Returns undefined for a call that
   * destroys nothing, such as a call with `--dry-run`.
   */
  readonly destroys: (
    args: readonly string[],
    options: CallOptions,
    context: Context,
  ) => string | undefined | Promise<string | undefined>;
  /** Returns lines to print before the question, such as the number of objects that would be deleted. */
  readonly details?: (context: Context, call: Call) => Promise<readonly string[]>;
  /** Whether the user must confirm by typing the last argument of the command instead of `y`. */
  readonly asksForName?: boolean;
}

export interface Declaration extends Partial<Destruction> {
  /** The name and arguments in commander syntax, such as `get <object> [file]`. */
  readonly usage: string;
  readonly summary: string;
  /** Further sentences that follow the summary in the help of the command. */
  readonly more?: string;
  /** Example command lines, in full. A comment after `#` explains an example that is not self-explanatory. */
  readonly examples: readonly string[];
  /** The hint of the error `NotRunning`. It replaces the default hint to run `holdfast up`. */
  readonly hintWithoutDaemon?: string;
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();
const HINTS = new WeakMap<Command, string>();
const DESTRUCTIONS = new WeakMap<Command, Destruction>();
const ASKS =
  'Before it deletes something permanently, ends a protection or sets a lock that no user can undo, it asks; ' +
  'without a terminal it needs --yes.';

/** Returns the examples that the command was declared with. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

/** Returns the `hintWithoutDaemon` that the command was declared with. Returns undefined if it has none. */
export function hintWithoutDaemon(command: Command): string | undefined {
  return HINTS.get(command);
}

/** Returns what the command destroys. Returns undefined for a command that never destroys anything. */
export function destructionOf(command: Command): Destruction | undefined {
  return DESTRUCTIONS.get(command);
}

/** Adds a command to `parent` and returns the command. */
export function declare(parent: Command, declaration: Declaration): Command {
  const { usage, summary, more, examples, destroys, ...rest } = declaration;
  const { hintWithoutDaemon: hint, ...asking } = rest;
  const lines = examples.map((example) => `  $ ${example}`);
  const command = parent.command(usage);
  EXAMPLES.set(command, examples);
  if (hint !== undefined) HINTS.set(command, hint);
  if (destroys) {
    DESTRUCTIONS.set(command, { ...asking, destroys });
  }
  return command
    .summary(summary)
    .description([sentence(summary), more, destroys && ASKS].filter(Boolean).join(' '))
    .addHelpText('before', `Examples:\n${lines.join('\n')}\n`);
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Returns the option `--protocol` for commands that access a remote service. */
export function protocolOption(): Option {
  const more = 'default: s3, or svc if the service accepts only that';
  return new Option('--protocol <name>', `the protocol of the service; ${more}`).choices([
    's3',
    'svc',
  ]);
}

/** The options for the access key of a remote service. If none is given, the key is read from the environment. */
export const CREDENTIALS = {
  file: ['--credentials <file>', 'a JSON file with the access key; default: the environment'],
  profile: ['--profile <name>', 'a profile of the AWS CLI with the access key'],
  command: [
    '--credentials-command <line>',
    'a program that prints the access key, with its arguments; run without a shell',
  ],
} as const;

export function portOption(): Option {
  const option = new Option('--port <number>', 'port of the store, instead of storage.port');
  return option.argParser(wholeNumber(0, 65_535));
}

/**
 * Appends a value to the values of earlier options, for an option that may be repeated, such as
 * `--exclude A --exclude B`.
 */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
