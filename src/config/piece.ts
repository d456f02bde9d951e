/** Validates one part of the configuration against its schema, and formats its problems for the user. */

import type { z } from 'zod';

import { ownMember } from '../base/own-member.ts';
import type { ConfigProblem } from './config-error.ts';
import type { ConfigDocument, Path } from './document.ts';
import { nearest } from './nearest.ts';

export type PieceSchema = z.ZodObject;
type Issue = z.core.$ZodIssue;

export interface Piece<T> {
  /** The parsed value. Present if no problem was found. */
  readonly value?: T;
  /** The options that are valid individually. The rules that compare several parts of the configuration use them. */
  readonly sound: Partial<T>;
  readonly problems: readonly ConfigProblem[];
}

export function parsePiece<S extends PieceSchema>(
  schema: S,
  document: ConfigDocument,
  path: Path,
  data: unknown,
): Piece<z.output<S>> {
  const parsed = schema.safeParse(data ?? {});
  if (parsed.success) return { value: parsed.data, sound: parsed.data, problems: [] };
  const problems = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? unknownKeys(schema, document, path, issue)
      : [document.problemAt([...path, ...keysOf(issue)], wording(issue, data))],
  );
  return { sound: soundMembers(schema, data, parsed.error.issues), problems };
}

/**
 * Returns why the schema rejects the value of an option, with the path below the option. Returns undefined if it
 * accepts the value.
 */
export function firstProblem(schema: z.ZodType, value: unknown): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const path = keysOf(issue).join('.');
  const words =
    issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys[0]}` : wording(issue, value);
  return path === '' ? words : `${path}: ${words}`;
}

function soundMembers<S extends PieceSchema>(
  schema: S,
  data: unknown,
  issues: readonly Issue[],
): Partial<z.output<S>> {
  if (typeof data !== 'object' || data === null) return {};
  const broken = new Set(issues.map((issue) => issue.path[0]));
  const sound = Object.keys(schema.shape).filter((key) => !broken.has(key));
  const parsed = sound.map((key) => [
    key,
    (schema.shape[key] as z.ZodType).parse(valueAt(data, [key])),
  ]);
  return Object.fromEntries(parsed) as Partial<z.output<S>>;
}

function unknownKeys(
  schema: PieceSchema,
  document: ConfigDocument,
  path: Path,
  issue: Extract<Issue, { code: 'unrecognized_keys' }>,
): ConfigProblem[] {
  const inner = keysOf(issue);
  const known = Object.keys(shapeAt(schema, inner)?.shape ?? {});
  return issue.keys.map((key) => {
    const guess = nearest(key, known);
    const all = known.length === 0 ? '' : `; known keys are ${known.join(', ')}`;
    const hint = guess ? `; did you mean ${guess}?` : all;
    return document.problemAtKey([...path, ...inner], key, `unknown key${hint}`);
  });
}

/**
 * Returns the object schema at a path below `schema`, even if options on the path are optional. Returns undefined
 * inside a union.
 */
function shapeAt(schema: PieceSchema, path: Path): PieceSchema | undefined {
  return path.reduce<PieceSchema | undefined>((shape, key) => {
    const member = shape?.shape?.[String(key)] as
      | z.ZodOptional<PieceSchema>
      | PieceSchema
      | undefined;
    return member && 'unwrap' in member ? member.unwrap() : member;
  }, schema);
}

function wording(issue: Issue, data: unknown): string {
  const value = valueAt(data, keysOf(issue));
  if (value === undefined) return 'is missing';
  if (issue.code === 'invalid_value') {
    return `must be one of ${issue.values.join(', ')}, not ${shown(value)}`;
  }
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) {
    return issue.message;
  }
  const quotes =
    issue.expected === 'string' && typeof value !== 'object' ? ' (put it in quotes)' : '';
  const example = issue.expected === 'object' ? exampleOf(issue.path.at(-1)) : '';
  return `must be ${KINDS[issue.expected] ?? issue.expected}${example}, not ${shown(value)}${quotes}`;
}

/**
 * The maximum length of a quoted value. It is enough for the user to find the value in the file. A longer value, such
 * as a pasted file, is truncated.
 */
const SHOWN_CHARACTERS = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** Examples for options that are maps but that users often write as a single word. */
const EXAMPLES: Readonly<Record<string, string>> = {
  keep: '{all: 7d, daily: 30d}',
  lock: '{mode: GOVERNANCE, days: 30}',
};

function exampleOf(key: PropertyKey | undefined): string {
  const example = ownMember(EXAMPLES, String(key));
  return example === undefined ? '' : ` such as ${example}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
};

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    data,
  );
}

function keysOf(issue: Issue): (string | number)[] {
  return issue.path.filter((part) => typeof part !== 'symbol');
}
