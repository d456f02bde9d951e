/** A question to the person at the terminal. */

import { createInterface } from 'node:readline/promises';

import type { Context } from './context.ts';

/** Whether a person is there to be asked: neither a script nor a program that reads JSON. */
export function isAskable({ json, io: { stdin, stderr } }: Context): boolean {
  return !json && stderr.isTTY === true && 'isTTY' in stdin && stdin.isTTY === true;
}

/** Anything but a yes is a no. */
export async function askYesNo({ io }: Context, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** What cannot be undone: only its very name is a yes. */
export async function askName({ io }: Context, warning: string, name: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await lines.question(`${warning} Type its name to go on: `);
    return answer.trim() === name;
  } finally {
    lines.close();
  }
}
