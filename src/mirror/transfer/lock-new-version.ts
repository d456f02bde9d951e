/**
 * A lock that the answer to a write says nothing of: services drop it in silence, from uploads in parts and from
 * copies. It is not believed but looked at, set where it is less than was asked, and said where it stays so.
 */

import { defined } from '../../base/defined.ts';
import { ensureLock } from '../objects/ensure-lock.ts';
import type { Action } from '../plan/action.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import { OVER, type PerformContext, settlePut, type Step, withFound, type Work } from './step.ts';
import { findOwnVersion, type ReadHead, readVersion } from '../objects/destination.ts';
import type { Activity } from '../model/activity.ts';
import { type BaselineEntry, LOCK_UNSEEN, type Problem } from '../model/types.ts';

type ConfirmLock = Extract<Action, { kind: 'confirm-lock' }>;

/** The row without its claim to a lock: until that is seen, the baseline has none. */
export function withLockUnseen(row: JournalRow): JournalRow {
  if (row.entry?.retainUntil === undefined) return row;
  return { ...row, entry: { ...row.entry, retainUntil: LOCK_UNSEEN } };
}

/** The end of a write of ours; where a lock was asked for, it is looked at next. */
export function settleUnseen(
  row: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
  { activity, problem }: { readonly activity?: Activity; readonly problem?: Problem } = {},
): Step {
  const { id: journalId, key, entry } = row;
  const end = { settlement: settlePut(withLockUnseen(row), made), ...defined({ activity }) };
  const retainUntil = entry?.retainUntil;
  if (!entry || retainUntil === undefined)
    return { is: 'settled', ...end, ...defined({ problem }) };
  const local = toLocalEntry(entry);
  const action = { kind: 'confirm-lock', key, entry: local, retainUntil, journalId } as const;
  const work = { action: { ...action, ...defined({ problem }) }, attempts: 0 };
  return { is: 'again', ...end, works: [work] };
}

/** Tells the baseline the version's id, too, which uploads in parts and copies may not have told. */
export async function confirmLock(
  { attempts }: Work,
  action: ConfirmLock,
  context: PerformContext,
): Promise<Step> {
  const { key, entry } = action;
  const { place, signal } = context;
  const baseline = context.state.baseline.get(key);
  const asked = (await context.lock(key))?.retention;
  if (!baseline || !asked) return OVER;
  const now = await context.lockTime();
  // An upload that took longer than its lock gets the lock that a new version would get.
  const isOver = (action.retainUntil ?? 0) <= now;
  const wish = isOver ? asked : { ...asked, ...defined({ retainUntil: action.retainUntil }) };
  const find = () => findVersion(action, baseline, context);
  const subject = { place, key, now, find };
  const outcome = await ensureLock(subject, wish, signal);
  if (outcome.is === 'absent')
    return {
      is: 'again',
      works: [
        { action: { kind: 'examine', key, entry, readHead: true, hashFile: false }, attempts },
      ],
    };
  const { found } = outcome;
  if (outcome.is === 'locked') {
    const { retainUntil } = outcome.retention;
    const end = settled(action, { baseline, found, retainUntil });
    return { ...end, ...defined({ problem: action.problem }) };
  }
  const end = settled(action, { baseline, found, retainUntil: LOCK_UNSEEN });
  return { ...end, problem: notLocked(action, outcome.refusal) };
}

/** By its id; by our journal id where that is not known; and else the head, when it is as last synced. */
async function findVersion(
  { key, journalId }: ConfirmLock,
  { etag, sha256, versionId }: BaselineEntry,
  { place, signal }: PerformContext,
): Promise<ReadHead | undefined> {
  if (versionId === undefined && journalId !== undefined)
    return findOwnVersion(place, { key, id: journalId }, signal);
  const found = await readVersion(place, { key, ...defined({ versionId }) }, signal);
  if (found === 'absent') return undefined;
  return found.etag === etag && found.sha256 === sha256 ? found : undefined;
}

/** The baseline of the version as it was found. */
function settled(
  { key }: ConfirmLock,
  {
    baseline,
    found,
    retainUntil,
  }: { baseline: BaselineEntry; found: ReadHead; retainUntil: number },
): Extract<Step, { is: 'settled' }> {
  return {
    is: 'settled',
    settlement: { key, baseline: { ...withFound(baseline, found), retainUntil } },
  };
}

function notLocked({ key }: ConfirmLock, refusal: string | undefined): Problem {
  const path = pathOfKey(key);
  const why =
    refusal === undefined
      ? 'the service does not show the retention that it was given'
      : `the service refused the retention: ${refusal}`;
  const message =
    `lock ${path}: it is mirrored, but not locked: ${why}; it will be tried again; ` +
    'give the bucket a default retention, or these keys the rights to put and get retention';
  return { path, code: 'not-locked', message };
}
