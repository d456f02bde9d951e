/** Counts calls of synchronous functions of node:fs in this process. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const COUNTED = ['lstatSync', 'readdirSync', 'statSync', 'openSync', 'readlinkSync'] as const;

export type CountedCalls = Record<(typeof COUNTED)[number], number>;

/** Counts the calls with a path below `folder` until `stop` is called, which returns the numbers. */
export function countCalls(folder: string): { readonly stop: () => CountedCalls } {
  const originals = new Map<string, unknown>();
  const counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as CountedCalls;
  for (const name of COUNTED) {
    const original = fs[name] as (...args: readonly unknown[]) => unknown;
    originals.set(name, original);
    const counting = (...args: readonly unknown[]) => {
      if (String(args[0]).startsWith(folder)) counts[name] += 1;
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
