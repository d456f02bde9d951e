/** `KEY=VALUE` as it is typed: to the first equals sign, the rest is taken literally. */

import { usageError } from '../output/command-error.ts';

export interface Pair {
  readonly key: string;
  readonly value: string;
}

export function parsePair(text: string): Pair {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`read "${text}": it is not KEY=VALUE`);
  return { key: text.slice(0, equals), value: text.slice(equals + 1) };
}

/** For an option or an argument that may be given several times. */
export function collectPairs(text: string, before: readonly Pair[] = []): readonly Pair[] {
  const pair = parsePair(text);
  if (before.some(({ key }) => key === pair.key)) {
    throw usageError(`read "${text}": ${pair.key} is given twice`);
  }
  return [...before, pair];
}

/** Attribute names are case-insensitive, and kept in lower case. */
export function metadataOf(pairs: readonly Pair[] | undefined): Record<string, string> | undefined {
  if (pairs === undefined) return undefined;
  return Object.fromEntries(pairs.map(({ key, value }) => [key.toLowerCase(), value]));
}
