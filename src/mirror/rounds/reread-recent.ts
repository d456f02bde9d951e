/** What may have been read in the middle of a write is read again, though its times are those of the baseline. */

import type { Action } from '../plan/action.ts';
import type { LocalEntry } from '../model/types.ts';
import { recheckLater } from './recheck-later.ts';
import type { Gathered, RoundContext } from './round-context.ts';

type Looking = Pick<RoundContext, 'executor' | 'hint' | 'reads' | 'retries' | 'tracker'>;

/** Entries of `touched` are planned anyway; the others are as the baseline has them. What waits to be read again waits. */
export function lookAgain(
  entries: readonly LocalEntry[],
  touched: ReadonlyMap<string, LocalEntry>,
  looking: Looking,
  gathered: Pick<Gathered, 'since' | 'actions' | 'isLate' | 'isUrgent'>,
): void {
  const { reads, retries, tracker, executor } = looking;
  if (!reads.hasUncertain()) return;
  const actions: Action[] = [];
  for (const entry of entries) {
    const { kind, path } = entry;
    if (kind !== 'file' || touched.has(path) || !reads.isUncertain(path)) continue;
    if (retries.isWaiting(path, gathered.isUrgent)) continue;
    if (tracker.underWay(path)) recheckLater(path, looking, gathered);
    else actions.push({ kind: 'examine', key: path, entry, readHead: false, hashFile: true });
  }
  if (actions.length === 0) return;
  gathered.actions += actions.length;
  executor.submit(actions, gathered.since);
}
