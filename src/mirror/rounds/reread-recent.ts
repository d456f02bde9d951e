/**
 * Reads files again that may have been read in the middle of a write although their times are equal to the baseline's.
 */

import type { Action } from '../plan/action.ts';
import type { LocalEntry } from '../model/types.ts';
import { recheckLater } from './recheck-later.ts';
import type { Gathered, RoundContext } from './round-context.ts';

type RereadContext = Pick<RoundContext, 'executor' | 'hint' | 'reads' | 'retries' | 'tracker'>;

/**
 * Submits reads for files whose last read is uncertain. Skips entries in `touched`, because they are planned anyway,
 * and paths with a pending retry.
 */
export function rereadUnsure(
  entries: readonly LocalEntry[],
  touched: ReadonlyMap<string, LocalEntry>,
  looking: RereadContext,
  gathered: Pick<Gathered, 'since' | 'actions' | 'isLate' | 'isUrgent'>,
): void {
  const { reads, retries, tracker, executor } = looking;
  if (!reads.hasUncertain()) return;
  const actions: Action[] = [];
  for (const entry of entries) {
    const { kind, path } = entry;
    if (kind !== 'file' || touched.has(path) || !reads.isUncertain(path)) continue;
    if (retries.isPending(path, gathered.isUrgent)) continue;
    if (tracker.underWay(path)) recheckLater(path, looking, gathered);
    else actions.push({ kind: 'examine', key: path, entry, readHead: false, hashFile: true });
  }
  if (actions.length === 0) return;
  gathered.actions += actions.length;
  executor.submit(actions, gathered.since);
}
