/**
 * Locks versions that have no baseline row. These are versions that were superseded before their lock was confirmed,
 * and versions of requests whose outcome is unknown. This module needs the store and the job's state, but not the
 * folder.
 */

import PQueue from 'p-queue';

import { pathOfKey } from '../mirror/model/local-path.ts';
import { hasIntendedContent } from '../mirror/transfer/copy-object.ts';
import type { JournalRow } from '../mirror/state/journal-table.ts';
import { supersededVersion, type LockRow } from '../mirror/state/lock-table.ts';
import { findOwnVersion, readVersion } from '../mirror/objects/destination.ts';
import {
  ensureLock,
  type LockOutcome,
  RETENTION_NOT_REPORTED,
} from '../mirror/objects/ensure-lock.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';

const REQUESTS_AT_ONCE = 4;

/**
 * Locks a superseded version. Returns undefined if the version no longer needs a lock. Rejects with the store's errors.
 */
export async function lockSuperseded(
  row: LockRow,
  { destination, clock, settingsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<Exclude<LockOutcome, { is: 'absent' }> | undefined> {
  const version = supersededVersion(row);
  const settings = version && settingsOf(version.key);
  if (!settings) return undefined;
  const { key } = version;
  const find = async () => {
    const found = await readVersion(destination, version, signal);
    return found === 'absent' ? undefined : found;
  };
  const now = clock.now();
  const { uploadedAt = now } = (await find()) ?? {};
  // The lock that the upload requested. It may already have ended.
  const wanted = { mode: settings.mode, retainUntil: lockUntil(settings, uploadedAt) };
  if (wanted.retainUntil <= now) return undefined;
  const outcome = await ensureLock({ destination, key, now, find }, wanted, signal);
  return outcome.is === 'absent' ? undefined : outcome;
}

/**
 * Locks versions that unfinished requests created. A session would recover these requests, but a missing folder or a
 * pause may prevent a session. Rejects with the store's errors.
 */
export async function lockUnfinished(context: RenewalContext, signal: AbortSignal): Promise<void> {
  const queue = new PQueue({ concurrency: REQUESTS_AT_ONCE });
  const rows = context.state.journal.unfinished();
  await Promise.all(rows.map((row) => queue.add(() => lockUnfinishedRow(row, context, signal))));
}

async function lockUnfinishedRow(
  row: JournalRow,
  { destination, clock, tracker, settingsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { key, entry } = row;
  const settings = settingsOf(key);
  if (entry?.retainUntil === undefined || !settings) return;
  const found = await findOwnVersion(destination, row, signal);
  if (!found || !(await hasIntendedContent(row, { ...found, key }, destination, signal))) return;
  const now = clock.now();
  const until = entry.retainUntil > now ? entry.retainUntil : lockUntil(settings, now);
  const wanted = { mode: settings.mode, retainUntil: until };
  const find = () => findOwnVersion(destination, row, signal);
  const outcome = await ensureLock({ destination, key, now, find }, wanted, signal);
  if (outcome.is !== 'not locked') return;
  const path = pathOfKey(key);
  const why = outcome.refusal ?? RETENTION_NOT_REPORTED;
  tracker.setProblem({ path, code: 'not-locked', message: `cannot lock ${path}: ${why}` });
}
