/** Parses lists and pairs that a user types in one line: `env=prod team=core`, `gpu=yes:NO_SCHEDULE`, `a, b`. */

import { readWholeNumber } from '../../src/text/amounts.ts';

/** Splits the text at spaces and commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

export function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    wordsOf(text).map((word) => {
      const at = word.indexOf('=');
      return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** Returns why the text is not a valid list of pairs, or undefined if it is valid. Used as a `Field.check`. */
export function pairsProblem(text: string): string | undefined {
  const wrong = wordsOf(text).find((word) => !/^[^=]+=./.test(word));
  return wrong === undefined ? undefined : `"${wrong}" is not a pair: write KEY=VALUE`;
}

export function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

/**
 * Returns why the text is not a whole number within the limits, or undefined if it is valid. An empty text is valid.
 * Used in a `Field.check`.
 */
export function wholeProblem(text: string, least: number, most: number): string | undefined {
  if (text === '' || readWholeNumber(text, least, most) !== undefined) return undefined;
  return `write a whole number from ${least} to ${most}`;
}

/** Returns the number in a field that `wholeProblem` accepts, or undefined if the field is empty. */
export function wholeOf(text: string): number | undefined {
  return readWholeNumber(text, 0, Number.MAX_SAFE_INTEGER);
}
