/**
 * Commands that every screen has for a limited time, such as undo. While they are available, they take precedence over
 * screen commands with the same keys.
 */

import type { Command } from './command.ts';

/** Returns both lists of commands. A key that `first` uses is removed from the other commands. */
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
 * The commands while the daemon is down. They may reuse the keys of screen commands, because screen commands need the
 * daemon and are disabled.
 */
export const DOWN_COMMANDS = [
  { id: 'daemon.start', title: 'start the daemon', keys: ['s'], hint: 'start' },
  { id: 'daemon.diagnostics', title: 'show why it is down', keys: ['d'], hint: 'diagnostics' },
] as const satisfies readonly Command[];

/** The command that undoes the last change. While there is nothing to undo, the screen may use the key `u`. */
export const UNDO = {
  id: 'app.undo',
  title: 'undo',
  keys: ['u'],
  hint: 'undo',
} as const satisfies Command;
