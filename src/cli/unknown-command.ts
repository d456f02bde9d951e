/**
 * Handles a word that is not a command in the place of a command, such as a former name, a command of another tool or a
 * typing error.
 */

import { existsSync, statSync } from 'node:fs';

import type { Command } from 'commander';

import { nearest } from '../config/nearest.ts';
import { type CommandError, usageError } from './output/command-error.ts';
import { destructionOf } from './declare.ts';
import { shellWord } from './output/text.ts';

/**
 * The names of commands in other tools, each with the possible goals of the user and the Holdfast command for each
 * goal.
 */
export const WORDS_OF_OTHER_TOOLS = {
  backup: [['back up a folder', 'holdfast up FOLDER']],
  sync: [['mirror a folder', 'holdfast up FOLDER']],
  snapshots: [
    ['list the versions of a file', 'holdfast history PATH'],
    ['list a folder as it was', 'holdfast history PATH --at "1d ago"'],
  ],
  at: [
    ['list a folder as it was', 'holdfast history PATH --at "1d ago"'],
    ['compare a folder with an earlier time', 'holdfast diff PATH --from "1d ago"'],
  ],
  mount: [
    ['list a folder as it was', 'holdfast history PATH --at "1d ago"'],
    ['write it to another folder', 'holdfast restore JOB --at "1d ago" --to DIR'],
  ],
  prune: [['list the versions that a job would remove', 'holdfast job keep JOB --dry-run']],
  delete: [
    ['delete an object', 'holdfast s3 rm BUCKET/KEY'],
    ['remove a job and keep its bucket', 'holdfast job remove JOB'],
  ],
  check: [
    ['compare files with their backup', 'holdfast verify'],
    ['check the embedded store', 'holdfast admin store check'],
    ['check config.yaml', 'holdfast config check'],
  ],
  start: [
    ['start the daemon', 'holdfast up'],
    ['start it as a service', 'holdfast service start'],
  ],
  stop: [
    ['stop the daemon', 'holdfast down'],
    ['stop its service', 'holdfast service stop'],
  ],
  targets: [
    ['list the targets', 'holdfast target list'],
    ['add a target', 'holdfast target add NAME SERVICE'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>;

/** The current topics of commands that used to be top-level commands, by topic. */
const MOVED = {
  s3: 'ls versions get put cp mv rm mb rb bucket info tag meta encrypt link versioning lifecycle quota acl policy website cors',
  lock: 'release retention hold',
  admin: 'credentials keys whoami users groups projects store backup-state restore-state',
  monitor: 'metrics alarms alerts',
  cluster: 'nodegroups',
  job: 'forget',
} as const;

/** The current names of renamed commands, by their former names. */
export const RENAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(MOVED).flatMap(([topic, names]) =>
      names.split(' ').map((name) => [name, `${topic} ${name}`]),
    ),
  ),
  jobs: 'job',
  conflicts: 'conflict',
  clusters: 'cluster',
  locks: 'lock list',
  'lock get': 'lock default get',
  'lock set': 'lock default set',
  'lock remove': 'lock default remove',
  drill: 'test',
  daemon: 'service run',
  serve: 's3 serve',
  man: 'completion man',
};

export interface Unknown {
  readonly parent: Command;
  readonly word: string;
}

/**
 * Returns the command line to run. It differs from `typed` only if `help` follows a topic. In that case, `--help`
 * replaces `help`. Throws CommandError `Usage` for an unknown command.
 */
export function knownLine(program: Command, typed: readonly string[]): readonly string[] {
  const unknown = unknownIn(
    program,
    typed.filter((arg) => arg !== '--help' && arg !== '-h'),
  );
  if (!unknown) return typed;
  const { word } = unknown;
  if (word === 'help') return knownLine(program, [...without(typed, word), '--help']);
  throw unknownError(unknown, program);
}

/** Returns the command in `argv` without its arguments and options, such as `holdfast job edit`. */
export function typedCommand(program: Command, argv: readonly string[]): string {
  if (program.commands.length === 0) return pathOf(program);
  const { operands, unknown } = program.parseOptions([...argv]);
  const [word, ...rest] = operands;
  const named = program.commands.find((each) => each.name() === word);
  return named ? typedCommand(named, [...rest, ...unknown]) : pathOf(program);
}

/** Returns the first word that should be a command but is not. Returns undefined if there is none. */
function unknownIn(command: Command, argv: readonly string[]): Unknown | undefined {
  const { commands, registeredArguments } = command;
  if (commands.length === 0 || registeredArguments.length > 0) return undefined;
  const { operands, unknown } = command.parseOptions([...argv]);
  const [word, ...rest] = operands;
  if (word === undefined) return undefined;
  const named = commands.find((each) => each.name() === word);
  return named ? unknownIn(named, [...rest, ...unknown]) : { parent: command, word };
}

function without(typed: readonly string[], word: string): readonly string[] {
  return typed.toSpliced(typed.indexOf(word), 1);
}

/**
 * Returns the error for an unknown command, with the most specific hint: its new name, a goal, or a similar command.
 */
export function unknownError({ parent, word }: Unknown, program: Command): CommandError {
  const message = `unknown command '${word}'`;
  const former = [...pathOf(parent).split(' ').slice(1), word].join(' ');
  if (Object.hasOwn(RENAMED, former))
    return usageError(
      `the command 'holdfast ${former}' was renamed`,
      `use: holdfast ${RENAMED[former]}`,
    );
  if (parent !== program) return usageError(message, hintWithin(parent, word));
  const goals = Object.hasOwn(WORDS_OF_OTHER_TOOLS, word)
    ? WORDS_OF_OTHER_TOOLS[word as keyof typeof WORDS_OF_OTHER_TOOLS]
    : undefined;
  const hint = goals?.map(([goal, command]) => `to ${goal}: ${command}`).join('; ');
  return usageError(message, hint ?? folderHint(word) ?? hintWithin(program, word));
}

/**
 * Returns the hint for a folder in the place of a command, as in `holdfast ~/Documents`. Returns undefined if the word
 * is not a folder.
 */
function folderHint(word: string): string | undefined {
  if (!existsSync(word) || !statSync(word).isDirectory()) return undefined;
  return `to mirror that folder: holdfast up ${shellWord(word)}`;
}

/** Suggests a command with a similar name, but never a destructive command. */
function hintWithin(parent: Command, word: string): string {
  const harmless = parent.commands.filter((command) => !isDestructive(command));
  const guess = nearest(
    word,
    harmless.map((command) => command.name()),
  );
  const path = pathOf(parent);
  return guess === undefined
    ? `${path} --help lists the commands`
    : `Did you mean: ${path} ${guess}`;
}

/** Returns whether the command, or each of its subcommands, can destroy something. */
function isDestructive(command: Command): boolean {
  if (command.commands.length > 0) return command.commands.every(isDestructive);
  return destructionOf(command) !== undefined;
}

/** Returns the name of the command with the names of its parents, such as `holdfast job edit`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
