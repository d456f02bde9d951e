/** Commands that hold for a while on every screen, and take their keys from those that have them there. */

import type { Command } from './command.ts';

/** For a while the first have the keys that they share with others: these stand there without them. */
export function withOwnKeys(
  first: readonly Command[],
  others: readonly Command[],
): readonly Command[] {
  const taken = new Set(first.flatMap(({ keys }) => keys));
  if (taken.size === 0) return others;
  const left = others.map((command) => {
    return { ...command, keys: command.keys.filter((key) => !taken.has(key)) };
  });
  return [...first, ...left];
}

/** While there is no daemon, these keys are theirs, and what the screen has under them is disabled anyway. */
export const DOWN_COMMANDS = [
  { id: 'daemon.start', title: 'start the daemon', keys: ['s'], hint: 'start' },
  { id: 'daemon.diagnostics', title: 'why is it down?', keys: ['d'], hint: 'diagnostics' },
] as const satisfies readonly Command[];

/** Only while there is something to undo: elsewhere `u` is the screen's. */
export const UNDO = {
  id: 'app.undo',
  title: 'undo',
  keys: ['u'],
  hint: 'undo',
} as const satisfies Command;
