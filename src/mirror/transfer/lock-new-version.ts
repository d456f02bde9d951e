/**
 * Confirms a new version's retention if the response to its write does not show it. Some services silently drop the
 * retention of multipart uploads and copies. The retention is read back, set again if it is too short, and reported as
 * a problem if the service does not store it.
 */

import { defined } from '../../base/defined.ts';
import { ensureLock, RETENTION_NOT_REPORTED } from '../objects/ensure-lock.ts';
import type { Action } from '../plan/action.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { toLocalEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import { settlePut } from './put-rows.ts';
import { DONE, type PerformContext, type Step, withFound, type Work } from './step-types.ts';
import { findOwnVersion, type ReadHead, readVersion } from '../objects/destination.ts';
import type { Activity } from '../model/tracker.ts';
import { type BaselineEntry, LOCK_UNSEEN, type Problem } from '../model/types.ts';

type ConfirmLock = Extract<Action, { kind: 'confirm-lock' }>;

/** Returns the row without its retention, because the baseline contains no retention until the service confirms it. */
export function withUnconfirmedLock(row: JournalRow): JournalRow {
  if (row.entry?.retainUntil === undefined) return row;
  return { ...row, entry: { ...row.entry, retainUntil: LOCK_UNSEEN } };
}

/** Ends a write of this job. If the write requested a retention, a `confirm-lock` action follows. */
export function settleUnconfirmed(
  row: JournalRow,
  made: { readonly etag: string; readonly versionId?: string },
  { activity, problem }: { readonly activity?: Activity; readonly problem?: Problem } = {},
): Step {
  const { id: journalId, key, entry } = row;
  const end = { settlement: settlePut(withUnconfirmedLock(row), made), ...defined({ activity }) };
  const retainUntil = entry?.retainUntil;
  if (!entry || retainUntil === undefined)
    return { is: 'settled', ...end, ...defined({ problem }) };
  const local = toLocalEntry(entry);
  const action = { kind: 'confirm-lock', key, entry: local, retainUntil, journalId } as const;
  const work = { action: { ...action, ...defined({ problem }) }, attempts: 0 };
  return { is: 'again', ...end, works: [work] };
}

/**
 * Confirms a version's retention. Also records the version id, because the response to a multipart upload or copy may
 * not contain it.
 */
export async function confirmLock(
  { attempts }: Work,
  action: ConfirmLock,
  context: PerformContext,
): Promise<Step> {
  const { key, entry } = action;
  const { destination, signal } = context;
  const baseline = context.state.baseline.get(key);
  const asked = (await context.lock(key))?.retention;
  if (!baseline || !asked) return DONE;
  const now = await context.lockTime();
  // If the upload took longer than its lock period, the version gets the same lock as a version that is uploaded now.
  const isOver = (action.retainUntil ?? 0) <= now;
  const retention = isOver ? asked : { ...asked, ...defined({ retainUntil: action.retainUntil }) };
  const find = () => findVersion(action, baseline, context);
  const subject = { destination, key, now, find };
  const outcome = await ensureLock(subject, retention, signal);
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

/**
 * Finds the version by its id. Without an id, finds it by the journal id, or returns the current version if it is the
 * last synced one.
 */
async function findVersion(
  { key, journalId }: ConfirmLock,
  { etag, sha256, versionId }: BaselineEntry,
  { destination, signal }: PerformContext,
): Promise<ReadHead | undefined> {
  if (versionId === undefined && journalId !== undefined)
    return findOwnVersion(destination, { key, id: journalId }, signal);
  const found = await readVersion(destination, { key, ...defined({ versionId }) }, signal);
  if (found === 'absent') return undefined;
  return found.etag === etag && found.sha256 === sha256 ? found : undefined;
}

/** Returns the step that records the found version in the baseline. */
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
      ? RETENTION_NOT_REPORTED
      : `the service rejected the retention: ${refusal}`;
  const message =
    `cannot lock ${path}: ${why}; the file is mirrored without a lock, and the job retries; ` +
    'set a default retention for the bucket, or allow s3:PutObjectRetention and s3:GetObjectRetention for these keys';
  return { path, code: 'not-locked', message };
}
