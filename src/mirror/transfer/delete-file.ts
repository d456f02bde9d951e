/**
 * Deletes the object of a file that no longer exists locally. In a bucket with versioning, this creates a delete
 * marker.
 */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { hasReappeared } from '../local/path-exists.ts';
import type { Tracker } from '../model/tracker.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { DeleteAction } from '../plan/action.ts';
import { applyHolds, writeOf } from '../plan/holds.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Retries } from './retries.ts';
import { attempt } from './step-failure.ts';
import { DONE, type PerformContext, type Prepared, type Step, type Work } from './step-types.ts';

export async function prepareDelete(
  work: Work,
  action: DeleteAction,
  context: PerformContext,
): Promise<Prepared> {
  const { destination, clock, tracker, changeGuard, signal } = context;
  const { key, guard } = action;
  if (!isAllowed(action, context) || hasReturned(key, context)) return DONE;
  if (isUnreadElsewhere(key, context)) return DONE;
  if (action.approval === undefined && (await changeGuard.isHeldNow(key, context))) return DONE;
  const row: JournalRow = {
    id: randomUUID(),
    key,
    operation: 'delete',
    expected: guard.ifMatch,
    startedAt: clock.now(),
  };
  const send = async (): Promise<Step> => {
    const object = { bucket: destination.bucket, key: destination.prefix + key };
    const request = { ...object, conditions: guard };
    const { versionId, deleteMarker } = await destination.store.deleteObject(request, { signal });
    tracker.countDelete();
    const settlement = { key, journalId: row.id, baseline: 'drop' } as const;
    const end = {
      is: 'settled',
      settlement,
      ...defined({ marker: deleteMarker ? versionId : undefined }),
    } as const;
    if (tracker.takeMoved(key)) return end;
    const activity = {
      level: 'info',
      action: 'delete',
      path: key,
      message: 'deleted locally',
    } as const;
    return { ...end, activity };
  };
  return { is: 'request', row, send: () => attempt(work, context, send, row) };
}

/**
 * Returns whether a delete is still allowed. Checks the holds again just before the journal row is written, because
 * they may have changed since the delete was planned.
 */
function isAllowed({ approval, ...action }: DeleteAction, { state }: PerformContext): boolean {
  const { key } = action;
  const known = state.baseline.get(key);
  const baseline = new Map(known ? [[key, known]] : []);
  const [allowed] = applyHolds([action], {
    holds: state.heldChanges.among([key]),
    baseline,
  }).allowed;
  return allowed !== undefined && writeOf(allowed)?.approval === approval;
}

/**
 * Returns whether a file exists again after its delete was planned. A file that the user forgot with `holdfast job
 * forget` may exist too, but it is excluded.
 */
function hasReturned(key: string, { root, state, hint }: PerformContext): boolean {
  if (!hasReappeared(root, key) || state.forgotten.has({ key })) return false;
  hint(pathOfKey(key));
  return true;
}

/**
 * Returns whether a key's file was renamed and cannot be read under its new name. Returns false while that file is
 * being read.
 */
export function isUnreadElsewhere(
  key: string,
  {
    state,
    retries,
    tracker,
  }: {
    readonly state: Pick<StateFile, 'baseline'>;
    readonly retries: Retries;
    readonly tracker: Tracker;
  },
): boolean {
  const row = state.baseline.get(key);
  const path = row?.kind === 'file' ? retries.unreadAt(row.inode) : undefined;
  return path !== undefined && path !== key && !tracker.underWay(path);
}
