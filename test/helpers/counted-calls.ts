/**
 * Counts calls of the synchronous `node:fs` functions in this process. Each call makes one system
 * call.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const BY_PATH = ['lstatSync', 'readdirSync', 'statSync', 'openSync', 'readlinkSync'] as const;
const BY_DESCRIPTOR = ['fstatSync', 'readSync', 'closeSync'] as const;
const COUNTED = [...BY_PATH, ...BY_DESCRIPTOR] as const;

export type CountedCalls = Record<(typeof COUNTED)[number], number>;

/**
 * Counts the calls with a path in `folder` or with a file descriptor. Counting ends when the test
 * calls `stop`, which returns the counts.
 */
export function countCalls(folder: string): { readonly stop: () => CountedCalls } {
  const originals = new Map<string, unknown>();
  const counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as CountedCalls;
  for (const name of COUNTED) {
    const original = fs[name] as (...args: readonly unknown[]) => unknown;
    originals.set(name, original);
    const counting = (...args: readonly unknown[]) => {
      const [place] = args;
      if (typeof place === 'number' || String(place).startsWith(folder)) counts[name] += 1;
      return original(...args);
    };
    Object.assign(fs, { [name]: counting });
  }
  syncBuiltinESMExports();
  return {
    stop: () => {
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
      return counts;
    },
  };
}
