/**
 * Phrases that the project's text and identifiers must not contain. Also searches source files for
 * these phrases.
 */

import { partsOf } from './prose.ts';
import type { SourceFile } from './source-files.ts';

interface NeverPhrase {
  readonly pattern: RegExp;
  readonly write: string;
  readonly caught: readonly string[];
  /** Correct texts that the pattern must not match. */
  readonly allowed: readonly string[];
}

/**
 * Returns a pattern for whole words. The words may be on two lines. The pattern does not match if
 * `allowed` follows them.
 */
function phrase(words: string, allowed = '(?!)'): RegExp {
  return new RegExp(`\\b(?:${words})\\b(?!${allowed})`.replaceAll(' ', '\\s+'), 'gi');
}

const RESOURCES =
  'alarms?|alerts?|buckets?|clusters?|cop(?:y|ies)|files?|folders?|groups?|homes?|jobs?|keys?|links?|' +
  'locks?|nodes?|objects?|projects?|reports?|rows?|stores?|tables?|targets?|users?|versions?';

export const NEVER: readonly NeverPhrase[] = [
  {
    pattern: phrase('nobody|somebody|whoever|anybody'),
    write: 'no caller, another client, a caller that …, any user',
    caught: ['// Nobody waits for it.', 'const checkNobodyRuns = 1;', "'whoever asks'"],
    // A string without a space is a value, such as the name of a Unix user, and is not checked.
    allowed: ["const user = 'nobody';", '// A dead body.'],
  },
  {
    pattern: phrase('(?:un)?told|tells?|telling', '(?: \\S+){0,4} apart\\b'),
    write: 'is notified, reports, logs, returns',
    caught: [
      '/** Is\n * told of it. */',
      'tellFailure();',
      '`a ${b} tells it`',
      'class X { #told; }',
    ],
    allowed: ['// Tells two keys apart.', 'intelligent.toldo();', "'foretells the future'"],
  },
  {
    pattern: phrase(
      '(?:is|are|was|were) no',
      '\\S| (?:longer|more|less|fewer|later|earlier|older|newer|larger|smaller|slower|faster|different)\\b',
    ),
    write: 'is not a valid X, invalid X, is not an X; for "there is no X": X does not exist',
    caught: ['// It is\n  // no bucket.', 'const isNoBucket = 1;', '`"${x}" is no policy`'],
    allowed: ['// It is no longer read.', '// The answer is no.', "['it is', 'no bucket is'];"],
  },
  {
    pattern: phrase('none of (?:that|this) name'),
    write: 'does not exist; unknown X "name"',
    caught: ["'there is none of that name'"],
    allowed: ['// None of that is read.'],
  },
  {
    pattern: phrase('(?:give|gives|gave|given|giving) way'),
    write: 'is superseded, is replaced',
    caught: ['// It gives way.', 'gaveWay();'],
    allowed: ['// It gives a way out.', 'row.gaveWayTo;'],
  },
  {
    pattern: phrase('(?:looks|looked|looking) at', ' once\\b'),
    write: 'scans, reads, checks, compares',
    caught: ['// It looks at each file.', 'const lookedAt = 1;'],
    // The phrase is correct for users, but not for programs.
    allowed: ["'look at the log'", '// It looks attractive.', 'const LOOKS_AT_ONCE = 4;'],
  },
  {
    pattern: phrase('(?:go|goes|going|gone|went) on'),
    write: 'continues, resumes',
    caught: ['// The round goes on.', 'goesOn();'],
    allowed: ['// It goes only once.'],
  },
  {
    pattern: phrase('stand|stands|stood', '(?: in)? for\\b|-?alone| ins\\b'),
    write: 'exists, is, is stored',
    caught: ['// What stands there.', 'const stood = 1;'],
    allowed: [
      '// `*` stands for any name.',
      '// Understands.',
      "'a stand-alone store'",
      'const STAND_INS = 1;',
    ],
  },
  {
    pattern: phrase('mend|mends|mended|mending'),
    write: 'fixes, fixed, repairs',
    caught: ["'the command that mends it'", 'faulty.mend();'],
    allowed: ['// It recommends an amended document.'],
  },
  {
    pattern: phrase(
      `(?:${RESOURCES}) (?:that |which )?(?:is|are|was|were) made`,
      ' (?:of|from|up|durable|safe|public|private)\\b',
    ),
    write: 'is created',
    caught: ["'no store is made'", '// Files that were\n// made here.'],
    allowed: ['// The file is made of parts.', '// A choice is made.'],
  },
];

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly write: string;
}

export interface Findings {
  readonly text: readonly Finding[];
  readonly identifiers: readonly Finding[];
}

/** Searches the comments and strings of a source file, or the complete text of a document. */
function findPhrases(path: string, prose: string): Finding[] {
  return NEVER.flatMap(({ pattern, write }) =>
    [...prose.matchAll(pattern)].map((match) => ({
      path,
      line: prose.slice(0, match.index).split('\n').length,
      found: match[0].replace(/\s+/g, ' '),
      write,
    })),
  );
}

/**
 * Names in the control protocol and in the jobs' databases. They cannot change, so they are
 * allowed.
 */
const AT_REST = new Set(['gaveWayTo', 'gave_way', 'stands']);

const verdicts = new Map<string, NeverPhrase | undefined>();

/**
 * Returns the forbidden phrase in an identifier. The identifier `gaveWayTo` is checked as "gave way
 * to".
 */
function verdictOf(name: string): NeverPhrase | undefined {
  if (!verdicts.has(name)) {
    const words = name.replace(/([a-z\d])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');
    const found = NEVER.find(({ pattern }) => words.search(pattern) >= 0);
    verdicts.set(name, AT_REST.has(name) ? undefined : found);
  }
  return verdicts.get(name);
}

/** Returns the first use of each identifier that contains a forbidden phrase. */
function findIdentifiers(path: string, code: string): Finding[] {
  return [...new Set(code.match(/\w{4,}/g))].flatMap((name) => {
    const write = verdictOf(name)?.write;
    if (write === undefined) return [];
    const index = code.search(new RegExp(`\\b${name}\\b`));
    return [{ path, line: code.slice(0, index).split('\n').length, found: name, write }];
  });
}

/**
 * Replaces names that cannot change, such as `stands?: `, with blanks in the message fields that
 * the reference lists.
 */
function withoutMembers(text: string): string {
  return text.replaceAll(/\b\w+(?=\?: )/g, (name) =>
    AT_REST.has(name) ? ' '.repeat(name.length) : name,
  );
}

export function findNever({ path, text }: SourceFile): Findings {
  if (/\.(?:md|yaml)$/.test(path))
    return { text: findPhrases(path, withoutMembers(text)), identifiers: [] };
  const { prose, code } = partsOf(text);
  return { text: findPhrases(path, prose), identifiers: findIdentifiers(path, code) };
}
