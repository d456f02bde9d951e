/**
 * Locks of versions that no row of the baseline is about: versions that were superseded before their lock was seen, and
 * those of requests whose outcome is not known. They need the store and the state, and nothing of the folder.
 */

import PQueue from 'p-queue';

import { pathOfKey } from '../mirror/model/local-path.ts';
import { hasIntendedContent } from '../mirror/transfer/copy-object.ts';
import type { JournalRow } from '../mirror/state/journal-table.ts';
import { supersededVersion, type LockRow } from '../mirror/state/lock-table.ts';
import { findOwnVersion, readVersion } from '../mirror/objects/destination.ts';
import { ensureLock, type LockOutcome } from '../mirror/objects/ensure-lock.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';

const AT_ONCE = 4;

/** Undefined where it needs no lock any more. Rejects as the store does. */
export async function lockSuperseded(
  row: LockRow,
  { place, clock, termsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<Exclude<LockOutcome, { is: 'absent' }> | undefined> {
  const version = supersededVersion(row);
  const terms = version && termsOf(version.key);
  if (!terms) return undefined;
  const { key } = version;
  const find = async () => {
    const found = await readVersion(place, version, signal);
    return found === 'absent' ? undefined : found;
  };
  const now = clock.now();
  const { uploadedAt = now } = (await find()) ?? {};
  // The lock that its upload asked for; it may be over.
  const wish = { mode: terms.mode, retainUntil: lockUntil(terms, uploadedAt) };
  if (wish.retainUntil <= now) return undefined;
  const outcome = await ensureLock({ place, key, now, find }, wish, signal);
  return outcome.is === 'absent' ? undefined : outcome;
}

/**
 * What unfinished requests made is locked before a session can recover them, which a missing folder or a pause may keep
 * from beginning. Rejects as the store does.
 */
export async function lockUnfinished(context: RenewalContext, signal: AbortSignal): Promise<void> {
  const lane = new PQueue({ concurrency: AT_ONCE });
  const rows = context.state.journal.unfinished();
  await Promise.all(rows.map((row) => lane.add(() => lockMade(row, context, signal))));
}

async function lockMade(
  row: JournalRow,
  { place, clock, tracker, termsOf }: RenewalContext,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { key, entry } = row;
  const terms = termsOf(key);
  if (entry?.retainUntil === undefined || !terms) return;
  const own = await findOwnVersion(place, row, signal);
  if (!own || !(await hasIntendedContent(row, { ...own, key }, place, signal))) return;
  const now = clock.now();
  const until = entry.retainUntil > now ? entry.retainUntil : lockUntil(terms, now);
  const wish = { mode: terms.mode, retainUntil: until };
  const find = () => findOwnVersion(place, row, signal);
  const outcome = await ensureLock({ place, key, now, find }, wish, signal);
  if (outcome.is !== 'not locked') return;
  const path = pathOfKey(key);
  const why = outcome.refusal ?? 'the service does not show the retention that it was given';
  tracker.setProblem({ path, code: 'not-locked', message: `lock ${path}: ${why}` });
}
