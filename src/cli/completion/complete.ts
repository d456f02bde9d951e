/** Computes the completions of a command line from the declared commands only, without a request to the daemon. */

import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/**
 * A kind of names that the command line itself does not know: jobs and buckets from the daemon, files from the shell.
 */
export type Names = 'jobs' | 'buckets' | 'objects' | 'files';

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly names: readonly Names[];
  /** The value of `--home` on the line. Absent if it was not typed. */
  readonly home?: string;
}

/** The kinds of completions offered for an argument, keyed by the argument's name in the help text. */
const NAMES: Readonly<Record<string, readonly Names[]>> = {
  bucket: ['buckets'],
  job: ['jobs'],
  jobs: ['jobs'],
  object: ['objects'],
  place: ['objects'],
  from: ['objects', 'files'],
  to: ['objects', 'files'],
  subject: ['jobs', 'files'],
  dir: ['files'],
  file: ['files'],
  folder: ['files'],
  path: ['files'],
  paths: ['files'],
};

/** The position of the word to complete. */
interface Position {
  /** The command that the preceding words select. */
  readonly command: Command;
  /** The number of preceding arguments of the command. */
  readonly operands: number;
  /** The option that takes the next word as its value, if any. */
  readonly awaiting?: Option | undefined;
  readonly home?: string;
}

/**
 * Returns the completions of the last word in `line`. This word may be empty. `line` contains the words after the
 * name of the program.
 */
export function complete(program: Command, line: readonly string[]): Completion {
  const last = line.at(-1) ?? '';
  const { command, operands, awaiting, home } = positionOf(program, line.slice(0, -1));
  const place = home === undefined ? {} : { home };
  const wanted = awaiting
    ? valuesOf(awaiting.argChoices, argumentName(awaiting))
    : last.startsWith('-')
      ? { candidates: optionsOf(program, command), names: [] }
      : nextWords(command, operands);
  const candidates = wanted.candidates.filter(({ value }) => value.startsWith(last));
  return { candidates, names: wanted.names, ...place };
}

function positionOf(program: Command, words: readonly string[]): Position {
  let at: Position = { command: program, operands: 0 };
  for (const word of words) {
    // bash splits --home=DIR into three words.
    if (word !== '=') at = next(program, at, word);
  }
  return at;
}

function next(program: Command, { awaiting, ...at }: Position, word: string): Position {
  if (awaiting) return awaiting.long === '--home' ? { ...at, home: word } : at;
  if (word.startsWith('-')) {
    const all = [...at.command.options, ...program.options];
    const option = all.find(({ short, long }) => word === short || word === long);
    return option?.required === true ? { ...at, awaiting: option } : at;
  }
  const named = at.operands === 0 ? commandOf(at.command, word) : undefined;
  return named ? { ...at, command: named } : { ...at, operands: at.operands + 1 };
}

function commandOf({ commands }: Command, word: string): Command | undefined {
  return commands.find((each) => each.name() === word || each.aliases().includes(word));
}

function optionsOf(program: Command, command: Command): Candidate[] {
  const own = command === program ? [] : command.options;
  const all = [...own, ...program.options].map(({ long, short, description }) => ({
    value: long ?? short ?? '',
    description,
  }));
  return [...all, { value: '--help', description: 'show the help' }];
}

function nextWords(command: Command, operands: number): Pick<Completion, 'candidates' | 'names'> {
  const { commands, registeredArguments } = command;
  if (commands.length > 0 && operands === 0) {
    const candidates = commands.map((each) => ({
      value: each.name(),
      description: each.summary(),
    }));
    return { candidates, names: [] };
  }
  const argument = registeredArguments[operands] ?? variadicOf(registeredArguments);
  return argument ? valuesOf(argument.argChoices, argument.name()) : { candidates: [], names: [] };
}

function variadicOf(all: readonly Argument[]): Argument | undefined {
  const last = all.at(-1);
  return last?.variadic === true ? last : undefined;
}

function valuesOf(choices: readonly string[] | undefined, name: string) {
  const candidates = (choices ?? []).map((value) => ({ value, description: '' }));
  return { candidates, names: NAMES[name] ?? [] };
}

/**
 * Returns the name that determines the completions of an option's value. If `NAMES` contains the name of the option,
 * as for `--bucket <name>`, it is this name. Otherwise it is the placeholder of the value.
 */
function argumentName({ long, flags }: Option): string {
  const own = long?.slice(2) ?? '';
  return own in NAMES ? own : (/[<[]([^>\].]+)/.exec(flags)?.[1] ?? '');
}
