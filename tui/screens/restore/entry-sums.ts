/**
 * Loads the number and size of the files in each entry of a folder, at a point in time and now, with the number of
 * differences.
 */

import { entrySumsSchema } from '../../../src/control/methods/history.ts';
import { readRows } from '../../../src/control/rows.ts';
import type { Ui } from '../../ui/ui.ts';

import { subjectOf } from './subject.ts';
import type { Subject } from './subject.ts';

export interface Differences {
  /** The number of files that were added after the time. */
  readonly later: number;
  readonly changed: number;
  /** The number of files that existed at the time and were deleted since. */
  readonly gone: number;
  readonly uncertain: number;
}

interface Files {
  readonly files: number;
  readonly bytes: number;
}

export interface EntrySums extends Differences {
  readonly before: Files;
  readonly after: Files;
}

/** Returns the totals by entry path. A file without differences is absent. */
export async function readSums(
  ui: Ui,
  { job, path }: Subject,
  at: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, EntrySums>> {
  const { stream } = await ui.call('history.sums', { ...subjectOf(job, path), at }, { signal });
  const client = await ui.link.client();
  const sums = new Map<string, EntrySums>();
  for await (const row of readRows(client, { stream, row: entrySumsSchema }, signal)) {
    signal.throwIfAborted();
    const { path: entry, added: later, removed: gone, ...same } = row;
    sums.set(entry, { ...same, later, gone });
  }
  return sums;
}

export function hasDifference({ later, changed, gone, uncertain }: Differences): boolean {
  return later + changed + gone + uncertain > 0;
}
