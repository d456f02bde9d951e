/** For each entry of a folder, counts the files below it that differ between a point in time and now. */

import { differenceRowSchema } from '../../../src/control/methods/history.ts';
import type { DifferenceRow } from '../../../src/control/methods/history.ts';
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

export const NO_DIFFERENCES: Differences = { later: 0, changed: 0, gone: 0, uncertain: 0 };

/**
 * Maps each difference to its count. A new version with the same bytes is not counted, because the folder list does not
 * show it as a change.
 */
const COUNTED_AS: Readonly<Record<DifferenceRow['is'], keyof Differences | undefined>> = {
  added: 'later',
  removed: 'gone',
  changed: 'changed',
  attributes: undefined,
  uncertain: 'uncertain',
};

/** Returns the differences by entry path. An entry without differences is absent. */
export async function readDifferences(
  ui: Ui,
  { job, path }: Subject,
  from: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Differences>> {
  const asked = { ...subjectOf(job, path), from };
  const { stream } = await ui.call('history.compare', asked, { signal });
  const client = await ui.link.client();
  const counts = new Map<string, Differences>();
  for await (const row of readRows(client, { stream, row: differenceRowSchema }, signal)) {
    signal.throwIfAborted();
    const kind = COUNTED_AS[row.is];
    if (!kind) continue;
    const end = row.path.indexOf('/', path.length);
    const entry = end < 0 ? row.path : row.path.slice(0, end + 1);
    const known = counts.get(entry) ?? NO_DIFFERENCES;
    counts.set(entry, { ...known, [kind]: known[kind] + 1 });
  }
  return counts;
}
