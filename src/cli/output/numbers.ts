/** Parses whole numbers on the command line. */

import { usageError } from './command-error.ts';

/**
 * Returns a parser of whole numbers from `least` to `most`, both included. The parser throws a usage error for other
 * values.
 */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw usageError(`read number "${text}": it must be a whole number from ${least} to ${most}`);
  };
}
