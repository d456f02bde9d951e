/** Rechecks paths that changed or vanished while they were being sent, after the work on them ends. */

import { isThere } from '../local/path-exists.ts';
import { toLocalEntry, kindOf } from '../local/local-entry.ts';
import { parentOf, pathOfKey } from '../model/local-path.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { Gathered, RoundContext } from './round-context.ts';

type RecheckContext = Pick<RoundContext, 'tracker' | 'hint'>;

const READ_BOTH = { kind: 'examine', readHead: true, hashFile: true } as const;

export function recheckLater(
  key: string,
  { tracker, hint }: RecheckContext,
  gathered: Pick<Gathered, 'isLate'>,
): void {
  gathered.isLate = true;
  // Every registered callback hints the path. One that also reads the head must not be replaced.
  if (!tracker.isAwaited(key)) tracker.whenOver(key, () => hint(pathOfKey(key)));
}

/**
 * For a key that is under way while the listing shows another version than the baseline. The work may not read the
 * bucket at all. Unless it creates a new version, the file and the head are read afterwards. The hint starts the round
 * that sends the requests.
 */
export function readHeadLater(
  key: string,
  before: BaselineEntry,
  context: RecheckContext & Pick<RoundContext, 'state' | 'executor'>,
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

/** A first upload has no baseline row yet that would show that its file is missing. */
export function recheckDeletedLater(
  context: RecheckContext & Pick<RoundContext, 'root'>,
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
