/** Parses numbers and sizes on the command line. */

import { usageError } from '../output/command-error.ts';

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/**
 * Parses a number or a size, such as `100`, `-1.5`, `10GB` or `2.5 TiB`. Returns bytes for a size. Throws a usage error
 * that names `what`.
 */
export function amount(what: string, text: string): number {
  const [, digits, unit = 'b'] = /^(-?\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (digits !== undefined && factor !== undefined) return Number(digits) * factor;
  throw usageError(`read ${what} "${text}": write a number, or a size such as 10GB or 2.5TiB`);
}
