/** Counts the files below each entry of a folder that differ between a point in time and now. */

import { differenceRowSchema } from '../../../src/control/methods/history.ts';
import type { DifferenceRow } from '../../../src/control/methods/history.ts';
import { readRows } from '../../../src/control/rows.ts';
import type { Ui } from '../../ui/ui.ts';

import { subjectOf } from './subject.ts';
import type { Subject } from './subject.ts';

export interface Differences {
  /** Number of files that were added after the time. */
  readonly later: number;
  readonly changed: number;
  /** Number of files that existed then and were deleted. */
  readonly gone: number;
  readonly uncertain: number;
}

export const NO_DIFFERENCES: Differences = { later: 0, changed: 0, gone: 0, uncertain: 0 };

/** Another version with the same bytes is not counted, as it is not a change in the list of a folder. */
const COUNTED_AS: Readonly<Record<DifferenceRow['is'], keyof Differences | undefined>> = {
  added: 'later',
  removed: 'gone',
  changed: 'changed',
  attributes: undefined,
  uncertain: 'uncertain',
};

/** Returns the differences by the path of the entry. Entries without differences are absent. */
export async function readDifferences(
  ui: Ui,
  { job, path }: Subject,
  from: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Differences>> {
  const asked = { ...subjectOf(job, path), from };
  const { stream } = await ui.call('history.compare', asked, { signal });
  const client = await ui.link.client('compare times');
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
