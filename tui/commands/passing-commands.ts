/** Temporary commands of all screens. While they are available, they replace screen commands with the same keys. */

import type { Command } from './command.ts';

/** Returns both lists, and removes the keys of the first commands from the other commands. */
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

/**
 * The commands while the daemon is down. Screen commands with the same keys need the daemon, so they are disabled
 * anyway.
 */
export const DOWN_COMMANDS = [
  { id: 'daemon.start', title: 'start the daemon', keys: ['s'], hint: 'start' },
  { id: 'daemon.diagnostics', title: 'show why it is down', keys: ['d'], hint: 'diagnostics' },
] as const satisfies readonly Command[];

/** The command that undoes the last change. While nothing can be undone, `u` belongs to the screen. */
export const UNDO = {
  id: 'app.undo',
  title: 'undo',
  keys: ['u'],
  hint: 'undo',
} as const satisfies Command;
