/** Requires that the user confirms a destructive or irreversible command, either on a terminal or with `--yes`. */

import type { Command } from 'commander';

import { ask, askYesNo, isAskable } from './ask.ts';
import { CommandError, usageError } from './command-error.ts';
import type { Context } from '../context.ts';
import { destructionOf } from '../declare.ts';
import { shellWord, visible } from './text.ts';

/**
 * Asks for confirmation before the command starts, if the command would do something that cannot be undone. Throws
 * CommandError `Declined` if the user does not confirm, and a usage error if the user cannot be asked. `typed` is the
 * command line.
 */
export async function confirm(
  context: Context,
  command: Command,
  typed: readonly string[],
): Promise<void> {
  const destruction = destructionOf(command);
  if (!destruction) return;
  const call = { args: command.args, options: command.opts() };
  if (context.isConfirmed) return;
  const deed = await destruction.destroys(call.args, call.options, context);
  if (deed === undefined) return;
  if (!isAskable(context)) throw needsYes(context, deed, typed);
  const lines = (await destruction.details?.(context, call)) ?? [];
  for (const line of lines) context.io.stderr.write(`${visible(line)}\n`);
  const name = destruction.asksForName ? call.args.at(-1) : undefined;
  if (!(await isMeant(context, deed, name)))
    throw new CommandError('Declined', 'not confirmed: nothing was changed');
}

/**
 * Returns the action that sets a lock in COMPLIANCE mode together with its consequence, for `destroys` of a command.
 */
export function permanent(action: string): string {
  return `${action}, which no user can undo, not even the owner`;
}

async function isMeant(context: Context, deed: string, name: string | undefined): Promise<boolean> {
  const question = visible(`${deed.charAt(0).toUpperCase()}${deed.slice(1)}?`);
  if (name === undefined) return askYesNo(context, question);
  return (
    (await ask(context, `${question} It cannot be undone. Type its name to confirm: `)) === name
  );
}

function needsYes({ json }: Context, deed: string, typed: readonly string[]): CommandError {
  const end = typed.indexOf('--');
  const before = end < 0 ? typed : typed.slice(0, end);
  const line = ['holdfast', ...before, '--yes', ...typed.slice(before.length)].map(shellWord);
  const why = json ? 'with --json' : 'without a terminal';
  return usageError(`cannot ${deed}: ${why} it needs --yes`, `Try: ${line.join(' ')}`);
}
