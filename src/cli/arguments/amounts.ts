/** Parses numbers and sizes on the command line. */

import { readAmount } from '../../text/amounts.ts';
import { usageError } from '../output/command-error.ts';

/** Parses a number or a size like `readAmount`. `what` names the value in the usage error for an invalid text. */
export function amount(what: string, text: string): number {
  const value = readAmount(text);
  if (value !== undefined) return value;
  throw usageError(`invalid ${what} "${text}"`, 'write a number, or a size such as 10GB or 2.5TiB');
}
