/** A question to the user at the terminal. */

import { createInterface } from 'node:readline/promises';

import type { Context } from '../context.ts';

/** Whether a user can be asked: not in a script, and not where the answer is JSON. */
export function isAskable({ json, io: { stdin, stderr } }: Context): boolean {
  return !json && stderr.isTTY === true && 'isTTY' in stdin && stdin.isTTY === true;
}

/** Every answer but a yes counts as no. */
export async function askYesNo(context: Context, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(context, `${question} [y/N] `));
}

export async function ask({ io }: Context, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}
