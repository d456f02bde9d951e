/** Reads a file, or standard input for `-`, either as text or as a JSON list of objects with known properties. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { diskErrorFix, failureReason } from '../../base/disk-error.ts';
import { errorMessage } from '../../base/errors.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';

/** Returns the text of the file, or of standard input for `-`. Throws CommandError `FileNotUsable`. */
export async function readDocument(context: Context, file: string): Promise<string> {
  if (file === '-') return text(context.io.stdin);
  const path = context.path(file);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = failureReason(error, 'file');
    throw new CommandError(
      'FileNotUsable',
      `cannot read ${path}: ${reason}`,
      diskErrorFix(error),
      error,
    );
  }
}

/** The format of a JSON list that other tools write. */
export interface ListFormat {
  /** If the JSON value is an object, the possible names of the property that contains the list, such as `CORSRules`. */
  readonly lists: readonly string[];
  /**
   * Maps the property names that other tools use to Holdfast's property names. For example, `AllowedOrigins` maps to
   * `allowedOrigins`.
   */
  readonly names: Readonly<Record<string, string>>;
}

/**
 * Returns the JSON list in the file, with the property names that Holdfast uses. The file contains the list itself, or
 * an object with the list. Throws a usage error if the file contains no list, or if an object in the list has an
 * unknown property.
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
      `cannot use ${file}: it does not contain a list`,
      `write [{…}, …], or {"${lists[0]}": [{…}, …]}`,
    );
  }
  return list.map((each) => renamed(each, { file, names }));
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`cannot read ${file}: it is not JSON: ${errorMessage(error)}`);
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
      `cannot use ${known.file}: unknown field ${JSON.stringify(name)}`,
      `known fields: ${all}`,
    );
  });
  return Object.fromEntries(members);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
