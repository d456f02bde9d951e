/** Reads and writes a single object in YAML or JSON, for `--from-file` and `export`. */

import { parseDocument, stringify } from 'yaml';

import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { readDocument } from './read-document.ts';

/** The maximum number of YAML aliases. Aliases of lists of aliases grow exponentially when they are expanded. */
const MAX_ALIASES = 100;
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Returns the object in the file. Throws a usage error if the file contains anything else, and CommandError
 * `FileNotUsable`.
 */
export async function readMembers(
  context: Context,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readDocument(context, file);
  if (text.length > MAX_CHARACTERS)
    throw new CommandError(
      'FileNotUsable',
      `cannot read ${file}: it has more than ${MAX_CHARACTERS} characters`,
    );
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error) throw usageError(`cannot read ${file}: ${error.message}`);
  const members = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  if (typeof members === 'object' && members !== null && !Array.isArray(members))
    return members as Readonly<Record<string, unknown>>;
  throw usageError(
    `cannot use ${file}: it must contain one object`,
    'as `cluster nodegroups export` writes it',
  );
}

/** Returns the object in YAML. */
export function membersText(members: object): string {
  return stringify(members);
}
