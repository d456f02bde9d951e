/** Parses `KEY=VALUE`. The key ends at the first equals sign. The value is taken literally. */

import { usageError } from '../output/command-error.ts';

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** Parses one pair. Throws a usage error if the text has no equals sign or an empty key. */
export function parsePair(text: string): Pair {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`cannot use "${text}": it is not KEY=VALUE`);
  return { key: text.slice(0, equals), value: text.slice(equals + 1) };
}

/**
 * Appends a pair to the pairs of earlier options, for an option that may be repeated. Throws a usage error for a
 * duplicate key.
 */
export function collectPairs(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const pair = parsePair(text);
  if (before.some(({ key }) => key === pair.key)) {
    throw usageError(`cannot use "${text}": ${pair.key} is given twice`);
  }
  return [...before, pair];
}

/** Returns the pairs as user metadata. The names are converted to lower case because they are case-insensitive. */
export function metadataOf(pairs: readonly Pair[] | undefined): Record<string, string> | undefined {
  if (pairs === undefined) return undefined;
  return Object.fromEntries(pairs.map(({ key, value }) => [key.toLowerCase(), value]));
}
