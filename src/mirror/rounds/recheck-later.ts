/** What changes or goes while it is being sent is looked at when that is over. */

import { isThere } from '../local/is-there.ts';
import { toLocalEntry, kindOf } from '../local/local-entry.ts';
import { parentOf, pathOfKey } from '../model/local-path.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { Gathered, RoundContext } from './round-context.ts';

type Looking = Pick<RoundContext, 'tracker' | 'hint'>;

const READ_BOTH = { kind: 'examine', readHead: true, hashFile: true } as const;

export function recheckLater(
  key: string,
  { tracker, hint }: Looking,
  gathered: Pick<Gathered, 'isLate'>,
): void {
  gathered.isLate = true;
  // Each of them hints; one that reads the head as well must not be replaced.
  if (!tracker.isAwaited(key)) tracker.whenOver(key, () => hint(pathOfKey(key)));
}

/**
 * A listing shows another current version than the baseline, and the key is under way. The work may not read the bucket
 * at all: unless it makes a new version, file and current version are read afterwards. The round that the hint starts
 * sends the requests.
 */
export function readHeadLater(
  key: string,
  before: BaselineEntry,
  context: Looking & Pick<RoundContext, 'state' | 'executor'>,
  gathered: Pick<Gathered, 'isLate' | 'since'>,
): void {
  const { tracker, state, executor, hint } = context;
  gathered.isLate = true;
  tracker.whenOver(key, () => {
    const known = state.baseline.get(key);
    if (known?.etag === before.etag && known.versionId === before.versionId)
      executor.submit([{ ...READ_BOTH, key, entry: toLocalEntry(known) }], gathered.since);
    hint(pathOfKey(key));
  });
}

/** What is sent for the first time is in no baseline yet, which would tell that it is missing. */
export function recheckDeletedLater(
  context: Looking & Pick<RoundContext, 'root'>,
  gathered: Pick<Gathered, 'isLate' | 'scanned'>,
): void {
  const { root, tracker } = context;
  for (const key of tracker.keysUnderWay()) {
    const path = pathOfKey(key);
    const kind = tracker.underWay(key)?.entry?.kind;
    if (kind === undefined || !gathered.scanned.has(parentOf(path))) continue;
    if (!isThere(root, path, (stats) => kindOf(stats) === kind))
      recheckLater(key, context, gathered);
  }
}
