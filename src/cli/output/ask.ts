/** Asks the user questions at the terminal. */

import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline/promises';

import type { Context } from '../context.ts';
import { CommandError } from './command-error.ts';

/**
 * Returns whether the user can be asked. This requires that standard input and standard error are terminals and that
 * `--json` is not set.
 */
export function isAskable({ json, io: { stdin, stderr } }: Context): boolean {
  return !json && stderr.isTTY === true && 'isTTY' in stdin && stdin.isTTY === true;
}

/** Returns true if the answer is `y` or `yes` in any case. Otherwise returns false. */
export async function askYesNo(context: Context, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(context, `${question} [y/N] `));
}

/**
 * Writes the question to standard error. Returns the line that the user types, without leading and trailing
 * whitespace.
 */
export async function ask({ io }: Context, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  resumeAfterStop(lines);
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Continues to read after Ctrl-Z and `fg`. Otherwise, readline stays paused and the process ends without an answer. */
export function resumeAfterStop(lines: Interface): void {
  lines.on('SIGCONT', () => lines.resume());
}

/** Returns the error for a user who ends the questions with Ctrl-C or Ctrl-D. */
export function stopped(): CommandError {
  return new CommandError('Declined', 'stopped before the last answer: nothing was changed');
}
