/**
 * Implements `holdfast completion`. It prints the completion scripts, and the completions that these scripts request.
 */

import type { Command } from 'commander';

import { usageError } from '../output/command-error.ts';
import { Context } from '../context.ts';
import { visible } from '../output/text.ts';
import { complete } from './complete.ts';
import { knownNames } from './known-names.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

/** Prints the script of the shell `what`. If `what` is `line`, prints the completions of `line` instead. */
export async function completion(
  context: Context,
  program: Command,
  what: string,
  line: readonly string[],
): Promise<void> {
  if (what === 'line') return answer(context, program, line);
  const shell = SHELLS.find((each) => each === what);
  if (shell === undefined || line.length > 0) {
    throw usageError(
      `cannot complete for ${what}: it is not a supported shell`,
      `choose one of ${SHELLS.join(', ')}`,
    );
  }
  await context.out.lines(...SCRIPTS[shell].trimEnd().split('\n'));
}

async function answer(context: Context, program: Command, line: readonly string[]): Promise<void> {
  const { candidates, names, home } = complete(program, line);
  // The completions are for the home folder on the completed line, not for the home folder of this command.
  const asked = home === undefined ? context : new Context(context.io, { home });
  const known = await knownNames(asked, names, line.at(-1) ?? '');
  await context.out.lines(
    ...[...candidates, ...known].map(
      ({ value, description }) => `${visible(value)}\t${visible(description)}`,
    ),
    ...(names.includes('files') ? [':files'] : []),
  );
}
