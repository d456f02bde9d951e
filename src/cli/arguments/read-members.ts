/** A file of one object, in YAML or JSON: what `--from-file` takes, and `export` writes. */

import { parseDocument, stringify } from 'yaml';

import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { readDocument } from './read-document.ts';

/** An alias that stands for a list of aliases grows without bound. */
const MAX_ALIASES = 100;
const MAX_CHARACTERS = 1024 * 1024;

/** Throws a usage error for anything but one object. */
export async function readMembers(
  context: Context,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readDocument(context, file);
  if (text.length > MAX_CHARACTERS)
    throw new CommandError('FileNotUsable', `read ${file}: more than ${MAX_CHARACTERS} characters`);
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error) throw usageError(`read ${file}: ${error.message}`);
  const members = document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  if (typeof members === 'object' && members !== null && !Array.isArray(members))
    return members as Readonly<Record<string, unknown>>;
  throw usageError(
    `read ${file}: it must hold one object`,
    'as `cluster nodegroups export` writes it',
  );
}

export function membersText(members: object): string {
  return stringify(members);
}
