/** Numbers of the command line. */

import { usageError } from './command-error.ts';

/** A parser for an option's value, `least` and `most` included. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw usageError(`read number "${text}": it must be a whole number from ${least} to ${most}`);
  };
}
