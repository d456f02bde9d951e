/** Declares the commands that only call a control method. */

import type { Command } from 'commander';

import type { DerivedCommand } from '../control/simple-commands.ts';
import { type CallOptions, declare, type Destruction } from './declare.ts';
import type { Run } from './program.ts';
import { SIMPLE_COMMANDS } from './simple-commands.ts';
import { commandAt } from './topics.ts';

/**
 * Declares the simple commands of a top-level command. The topics below the top-level command must already be
 * declared.
 */
export function declareSimpleCommands(top: Command, run: Run): void {
  const simple = SIMPLE_COMMANDS.filter(({ topic: [first] }) => first === top.name());
  const topics = simple.map(({ topic: [, ...words] }) => commandAt(top, words));
  for (const [index, each] of simple.entries()) declareOne(topics[index] ?? top, each, run);
  for (const topic of new Set(topics)) sortCommands(topic);
}

/** The names of commands that come first in the help of their topic. All other commands follow in declaration order. */
const FIRST_VERBS = ['list', 'get', 'add', 'set', 'enable'];

function sortCommands({ commands }: Command): void {
  const rank = (command: Command) => {
    const index = FIRST_VERBS.indexOf(command.name());
    return index < 0 ? FIRST_VERBS.length : index;
  };
  (commands as Command[]).sort((a, b) => rank(a) - rank(b));
}

function declareOne(topic: Command, simple: DerivedCommand, run: Run): void {
  const { usage, summary, more, examples } = simple;
  const command = declare(topic, {
    usage,
    summary,
    ...(more !== undefined && { more }),
    examples,
    ...destructionOf(simple),
  });
  for (const { flags, summary: purpose, default: initial } of simple.options)
    command.option(flags, purpose, initial);
  command.action(() =>
    run(async (context) => {
      const { callSimply } = await import('./simple-call.ts');
      return callSimply(context, simple, typedOf(simple, command.args, command.opts()));
    }),
  );
}

function destructionOf(simple: DerivedCommand): Partial<Destruction> {
  if (simple.destroys === undefined) return {};
  return {
    destroys: async (args, options) =>
      (await import('./simple-call.ts')).deedOf(simple, typedOf(simple, args, options)),
    details: async (context, { args, options }) =>
      (await import('./simple-call.ts')).detailsOf(context, simple, typedOf(simple, args, options)),
  };
}

/** Returns the typed options and arguments, by their names. */
function typedOf(
  simple: DerivedCommand,
  args: readonly string[],
  options: CallOptions,
): CallOptions {
  const named = simple.arguments.map(({ name }, index) => [name, args[index]]);
  return { ...options, ...Object.fromEntries(named) };
}
