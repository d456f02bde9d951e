/** A file that a command is given, or `-` for standard input: as text, or as JSON of known members. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { diskErrorFix, failureReason } from '../../base/disk-error.ts';
import { errorMessage } from '../../base/errors.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';

export async function readDocument(context: Context, file: string): Promise<string> {
  if (file === '-') return text(context.io.stdin);
  const path = context.path(file);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = failureReason(error, 'file');
    throw new CommandError('FileNotUsable', `read ${path}: ${reason}`, diskErrorFix(error), error);
  }
}

/** What a member of a list is called, by us and by other tools: `AllowedOrigins` is `allowedOrigins`. */
export interface ListFormat {
  /** Of the member that holds the list, where it does not stand alone. */
  readonly lists: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

/**
 * A JSON list of objects, by itself or within one object, with the members as we call them. Throws a usage error for
 * anything else, and for a member that is not known: it would be lost, and with it what it was to say.
 */
export async function readList(
  context: Context,
  file: string,
  { lists, names }: ListFormat,
): Promise<readonly unknown[]> {
  const document = parseJson(file, await readDocument(context, file));
  const list = isObject(document)
    ? lists.map((name) => document[name]).find((each) => each !== undefined)
    : document;
  if (!Array.isArray(list)) {
    throw usageError(
      `read ${file}: it holds no list`,
      `write [{…}, …], or {"${lists[0]}": [{…}, …]}`,
    );
  }
  return list.map((each) => renamed(each, { file, names }));
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`read ${file}: it is no JSON: ${errorMessage(error)}`);
  }
}

function renamed(
  value: unknown,
  known: { readonly file: string } & Pick<ListFormat, 'names'>,
): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => {
    const ours = Object.hasOwn(known.names, name) ? known.names[name] : undefined;
    if (ours !== undefined) return [ours, renamed(inner, known)] as const;
    if (Object.values(known.names).includes(name)) return [name, renamed(inner, known)] as const;
    const all = Object.keys(known.names).join(', ');
    throw usageError(
      `read ${known.file}: ${JSON.stringify(name)} is not known`,
      `there are ${all}`,
    );
  });
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
