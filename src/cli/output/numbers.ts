/** Parses whole numbers on the command line. */

import { readWholeNumber } from '../../text/amounts.ts';
import { usageError } from './command-error.ts';

/**
 * Returns a parser of whole numbers from `least` to `most` (both inclusive). The parser throws a usage error for
 * other values.
 */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = readWholeNumber(text, least, most);
    if (value !== undefined) return value;
    throw usageError(
      `invalid number "${text}": it must be a whole number from ${least} to ${most}`,
    );
  };
}
