/** Maps commands to keys: the default keys, or the keys in the user's key file. */

import { nearest } from '../../src/config/nearest.ts';
import type { Command } from '../commands/command.ts';
import { EVERYWHERE, LIST } from '../commands/commands.ts';
import { isKeyName } from './key-names.ts';
import { DOWN_COMMANDS, UNDO } from '../commands/passing-commands.ts';
import { SCREEN_COMMANDS } from '../commands/screen-commands.ts';
import type { Scope } from '../commands/screen-commands.ts';

/** The user's keys for each command id. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>;

/** Commands whose keys cannot be changed, because they must work in every state, even if the terminal is too small. */
const FIXED: ReadonlySet<string> = new Set(['app.redraw', 'app.suspend']);
const FIXED_KEYS: ReadonlySet<string> = new Set(['ctrl-c', 'ctrl-l', 'ctrl-z']);
/** Commands that must have a key. Without them, the user could not find other commands or leave a screen. */
const NEEDED: ReadonlySet<string> = new Set(['app.help', 'app.palette', 'app.back', 'app.quit']);

const ALL: readonly Command[] = [
  ...EVERYWHERE,
  ...LIST,
  ...DOWN_COMMANDS,
  UNDO,
  ...Object.values(SCREEN_COMMANDS).flat(),
];
const SCOPES = Object.keys(SCREEN_COMMANDS) as readonly Scope[];

/**
 * Matches commands that move the cursor, change the displayed time or mark rows. Digits before their keys are a count.
 */
const MOTION =
  /^(?:list\.(?:down|up|first|last|half|page|mark$)|restore\.(?:day|hour)?(?:earlier|later)$)/i;

export class Keymap {
  readonly #own: OwnKeys;
  readonly #motions: ReadonlySet<string>;

  constructor(own: OwnKeys = {}) {
    this.#own = own;
    const keys = this.with(ALL.filter(({ id }) => MOTION.test(id))).flatMap((each) => each.keys);
    this.#motions = new Set(keys.map((key) => key.split(' ')[0] ?? key));
  }

  /** Returns the commands that are available on a screen. The screen's own commands come first. */
  commandsOf(scope: Scope, hasList: boolean): readonly Command[] {
    return this.with([...SCREEN_COMMANDS[scope], ...(hasList ? LIST : []), ...EVERYWHERE]);
  }

  with(commands: readonly Command[]): readonly Command[] {
    return commands.map((command) => {
      const keys = Object.hasOwn(this.#own, command.id) ? this.#own[command.id] : undefined;
      return keys ? { ...command, keys } : command;
    });
  }

  /** Returns whether digits before this key are a count, as in `10j`. */
  isMotion(key: string): boolean {
    return this.#motions.has(key);
  }
}

/**
 * Creates a keymap from the user's key file. If the file is invalid, throws an error that lists all problems, one per
 * line.
 */
export function readKeymap(data: unknown): Keymap {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new Error('write commands and their keys, such as job.pause: P');
  }
  const entries = Object.entries(data).map(([id, keys]) => [id, listOf(keys)] as const);
  const problems = entries.flatMap(([id, keys]) => problemsOf(id, keys));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const keymap = new Keymap(Object.fromEntries(entries));
  const conflicts = SCOPES.flatMap((scope) => keyConflicts(keymap.commandsOf(scope, true)));
  if (conflicts.length > 0) throw new Error([...new Set(conflicts)].join('\n'));
  return keymap;
}

function listOf(keys: unknown): readonly string[] {
  return (Array.isArray(keys) ? keys : [keys]).map(String);
}

function problemsOf(id: string, keys: readonly string[]): string[] {
  const ids = ALL.map((command) => command.id);
  if (!ids.includes(id)) {
    const guess = nearest(id, ids);
    return [`unknown command ${id}${guess === undefined ? '' : `; did you mean ${guess}?`}`];
  }
  if (FIXED.has(id)) return [`the key of ${id} cannot change`];
  if (keys.length === 0 && NEEDED.has(id)) return [`${id} needs a key`];
  return keys.flatMap((key) => {
    const names = key.split(' ');
    if (names.length > 2 || !names.every(isKeyName)) return [`${id}: "${key}" is not a key`];
    if (names.some((name) => /^\d$/.test(name))) return [`${id}: digits select screens and counts`];
    return names.some((name) => FIXED_KEYS.has(name)) ? [`${id}: ${key} cannot change`] : [];
  });
}

/**
 * Returns the key conflicts on one screen: keys that two commands share, and keys that also start another command's
 * sequence.
 */
export function keyConflicts(commands: readonly Command[]): string[] {
  const conflicts: string[] = [];
  const owners = new Map<string, string>();
  for (const { id, keys } of commands) {
    for (const key of keys) {
      const other = owners.get(key);
      if (other !== undefined && other !== id)
        conflicts.push(`${key} is a key of ${other} and ${id}`);
      owners.set(key, id);
    }
  }
  for (const [key, id] of owners) {
    const [first = '', second] = key.split(' ');
    const other = second === undefined ? undefined : owners.get(first);
    if (other !== undefined)
      conflicts.push(`${first} is a key of ${other}, and begins ${key} of ${id}`);
  }
  return conflicts;
}
