/** A word where a command is expected, and is none: `help` and `version`, words of other tools, and slips of the fingers. */

import { existsSync, statSync } from 'node:fs';

import type { Command } from 'commander';

import { nearest } from '../config/nearest.ts';
import { type CommandError, usageError } from './output/command-error.ts';
import { destructionOf } from './declare.ts';
import { shellWord } from './output/text.ts';

/** What other tools call it: a goal, and the command of ours that reaches it. */
export const WORDS_OF_OTHER_TOOLS = {
  backup: [['back up a folder', 'holdfast up FOLDER']],
  sync: [['mirror a folder', 'holdfast up FOLDER']],
  snapshots: [
    ['list the versions of an object', 'holdfast versions BUCKET/KEY'],
    ['list a folder as it was', 'holdfast at "1d ago" ls PATH'],
  ],
  history: [
    ['list the versions of an object', 'holdfast versions BUCKET/KEY'],
    ['compare a folder with an earlier time', 'holdfast at "1d ago" diff now PATH'],
  ],
  mount: [
    ['list a folder as it was', 'holdfast at "1d ago" ls PATH'],
    ['write it to another folder', 'holdfast restore JOB --at "1d ago" --to DIR'],
  ],
  prune: [['list the versions that a job would remove', 'holdfast jobs keep JOB --dry-run']],
  delete: [
    ['delete an object', 'holdfast rm BUCKET/KEY'],
    ['remove a job and keep its bucket', 'holdfast jobs remove JOB'],
  ],
  check: [
    ['compare files with their backup', 'holdfast verify'],
    ['check the embedded store', 'holdfast store check'],
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
    ['list jobs with their targets', 'holdfast jobs list'],
    ['add a target', 'holdfast up FOLDER --to ENDPOINT'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>;

interface Unknown {
  readonly parent: Command;
  readonly word: string;
}

/** The line that is to be run for the one that was typed. Throws CommandError `Usage` for an unknown command. */
export function knownLine(program: Command, typed: readonly string[]): readonly string[] {
  const unknown = unknownIn(
    program,
    typed.filter((arg) => arg !== '--help' && arg !== '-h'),
  );
  if (!unknown) return typed;
  const { parent, word } = unknown;
  if (word === 'help') return knownLine(program, [...without(typed, word), '--help']);
  if (word === 'version' && parent === program) return [...without(typed, word), '--version'];
  throw unknownError(unknown, program);
}

/** The command that is typed, without its arguments: `holdfast jobs edit`. */
export function typedCommand(program: Command, argv: readonly string[]): string {
  if (program.commands.length === 0) return pathOf(program);
  const { operands, unknown } = program.parseOptions([...argv]);
  const [word, ...rest] = operands;
  const named = program.commands.find((each) => each.name() === word);
  return named ? typedCommand(named, [...rest, ...unknown]) : pathOf(program);
}

function unknownIn(command: Command, argv: readonly string[]): Unknown | undefined {
  const { commands, registeredArguments } = command;
  if (commands.length === 0 || registeredArguments.length > 0) return undefined;
  const { operands, unknown } = command.parseOptions([...argv]);
  const [word, ...rest] = operands;
  if (word === undefined) return undefined;
  const named = commands.find((each) => each.name() === word || each.aliases().includes(word));
  return named ? unknownIn(named, [...rest, ...unknown]) : { parent: command, word };
}

function without(typed: readonly string[], word: string): readonly string[] {
  return typed.toSpliced(typed.indexOf(word), 1);
}

function unknownError({ parent, word }: Unknown, program: Command): CommandError {
  const message = `unknown command '${word}'`;
  if (parent !== program) return usageError(message, hintWithin(parent, word));
  const goals = Object.hasOwn(WORDS_OF_OTHER_TOOLS, word)
    ? WORDS_OF_OTHER_TOOLS[word as keyof typeof WORDS_OF_OTHER_TOOLS]
    : undefined;
  const hint = goals?.map(([goal, command]) => `to ${goal}: ${command}`).join('; ');
  return usageError(message, hint ?? folderHint(word) ?? hintWithin(program, word));
}

/** `holdfast ~/Documents` */
function folderHint(word: string): string | undefined {
  if (!existsSync(word) || !statSync(word).isDirectory()) return undefined;
  return `to mirror that folder: holdfast up ${shellWord(word)}`;
}

/** A command that destroys something is never suggested because its name is similar. */
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

/** Itself, or all that is below it. */
function isDestructive(command: Command): boolean {
  if (command.commands.length > 0) return command.commands.every(isDestructive);
  return destructionOf(command) !== undefined;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
