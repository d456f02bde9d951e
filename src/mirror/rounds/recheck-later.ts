/**
 * Queues scans for paths that changed or vanished while they were uploaded. The scans run when the current work on the
 * paths ends.
 */

import { isThere } from '../local/path-exists.ts';
import { toLocalEntry, kindOf } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
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
  // Each registered callback queues the path. A callback that also reads the object must not be replaced.
  if (!tracker.isAwaited(key)) tracker.whenOver(key, () => hint(pathOfKey(key)));
}

/**
 * Handles a key that is being uploaded while the listing shows a version that differs from the baseline. Unless the
 * upload creates a new version, file and object are read after it ends.
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

/**
 * Queues scans for entries that vanished or changed their kind during their first upload. They have no baseline row
 * that would show them as missing. Uploads that have not started yet detect the change themselves.
 */
export function recheckDeletedLater(
  context: RecheckContext & Pick<RoundContext, 'executor' | 'root'>,
  gathered: Pick<Gathered, 'isLate'>,
): void {
  const { root, tracker, executor } = context;
  for (const key of executor.started) {
    const path = pathOfKey(key);
    const kind = tracker.underWay(key)?.entry?.kind;
    if (kind === undefined) continue;
    if (!isThere(root, path, (stats) => kindOf(stats) === kind))
      recheckLater(key, context, gathered);
  }
}
