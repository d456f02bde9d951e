/** What may stand next on a command line, told from the commands themselves. Asks nobody. */

import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What only others know: the daemon its jobs and buckets, the shell its files. */
export type Names = 'jobs' | 'buckets' | 'objects' | 'files';

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly names: readonly Names[];
  /** What `--home` says on the line. */
  readonly home?: string;
}

/** By what the help calls them. */
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

/** Where the line is: the command so far, and what of it is still to come. */
interface Position {
  readonly command: Command;
  readonly operands: number;
  /** The option whose value comes next. */
  readonly awaiting?: Option | undefined;
  readonly home?: string;
}

/** `line`: the words behind the program's name; the last one, which may be empty, is the one to complete. */
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
    // bash makes three words of --home=DIR.
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

/** `--bucket <name>` says by itself what it takes; of others the name of the value does. */
function argumentName({ long, flags }: Option): string {
  const own = long?.slice(2) ?? '';
  return own in NAMES ? own : (/[<[]([^>\].]+)/.exec(flags)?.[1] ?? '');
}
