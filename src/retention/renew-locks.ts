/** Renews due locks: checks each version, extends its retention if needed, and records the result in the baseline. */

import PQueue from 'p-queue';

import { errorMessage } from '../base/errors.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { pathOfKey } from '../mirror/model/local-path.ts';
import { failureKind } from '../mirror/model/failure-kind.ts';
import { backOffMs, RETRY } from '../mirror/model/retry-policy.ts';
import { withFound } from '../mirror/transfer/step-types.ts';
import { type FailedCheck, type LockRow, supersededVersion } from '../mirror/state/lock-table.ts';
import type { Settlement } from '../mirror/state/state-file.ts';
import { type Destination, type ReadHead, readVersion } from '../mirror/objects/destination.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import {
  ensureLock,
  type LockOutcome,
  RETENTION_NOT_REPORTED,
} from '../mirror/objects/ensure-lock.ts';
import { lockSuperseded } from './late-locks.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';
import { neededUntil } from './renewal-time.ts';

export interface Renewed {
  /** The number of locks that were set or extended. */
  readonly set: number;
  readonly checked: number;
}

/** The number of locks that are checked together and recorded in one transaction. */
const SLICE = 64;
/**
 * The maximum number of concurrent requests. Renewal must not slow down uploads, even if a million due locks then take
 * hours.
 */
const REQUESTS_AT_ONCE = 4;

interface CheckedLock {
  readonly row: LockRow;
  /** The baseline row. Absent for a superseded version. */
  readonly baseline?: BaselineEntry;
  readonly outcome: LockOutcome | { readonly is: 'failed'; readonly error: unknown };
}

/**
 * Renews the next slice of due locks. A lock that fails is retried later and does not delay the others. If all locks
 * fail with temporary errors, the service is down. In that case, rejects with the first error and reschedules nothing.
 */
export async function renewDue(context: RenewalContext, signal: AbortSignal): Promise<Renewed> {
  const { state, clock } = context;
  const rows = state.locks.due(clock.now(), SLICE);
  if (rows.length === 0) return { set: 0, checked: 0 };
  const queue = new PQueue({ concurrency: REQUESTS_AT_ONCE });
  const checkedLocks = await Promise.all(
    rows.map((row) => queue.add(() => renew(row, context, signal))),
  );
  signal.throwIfAborted();
  const known = checkedLocks.flatMap((each) => each ?? []);
  const [first] = known;
  if (first?.outcome.is === 'failed' && known.every(isTemporary)) throw first.outcome.error;
  return { set: settle(known, context), checked: rows.length };
}

/** Renews the lock of one row. Returns undefined if the row no longer needs a lock. */
async function renew(
  row: LockRow,
  context: RenewalContext,
  signal: AbortSignal,
): Promise<CheckedLock | undefined> {
  const { destination, state, clock, settingsOf } = context;
  const { key } = row;
  if (supersededVersion(row)) return renewSuperseded(row, context, signal);
  const baseline = state.baseline.get(key);
  const settings = settingsOf(key);
  if (!baseline || !settings) {
    state.locks.note(key, 'drop');
    return undefined;
  }
  const now = clock.now();
  const wanted = {
    mode: settings.mode,
    retainUntil: lockUntil(settings, now),
    atLeast: neededUntil(settings, now),
  };
  const find = () => findVersion(key, baseline, destination, signal);
  try {
    const outcome = await ensureLock({ destination, key, now, find }, wanted, signal);
    return { row, baseline, outcome };
  } catch (error) {
    signal.throwIfAborted();
    return { row, baseline, outcome: { is: 'failed', error } };
  }
}

async function renewSuperseded(
  row: LockRow,
  context: RenewalContext,
  signal: AbortSignal,
): Promise<CheckedLock | undefined> {
  try {
    const outcome = await lockSuperseded(row, context, signal);
    if (outcome) return { row, outcome };
  } catch (error) {
    signal.throwIfAborted();
    return { row, outcome: { is: 'failed', error } };
  }
  context.state.locks.endSuperseded(row);
  return undefined;
}

/**
 * Returns the current version if it has the synced ETag, no matter which client wrote it. Otherwise returns the synced
 * version, which is found by its ID.
 */
async function findVersion(
  key: string,
  baseline: BaselineEntry,
  destination: Destination,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  const { etag, versionId } = baseline;
  try {
    const head = await readVersion(destination, { key }, signal);
    if (head !== 'absent' && head.etag === etag) return head;
    if (versionId === undefined) return undefined;
    const found = await readVersion(destination, { key, versionId }, signal);
    return found === 'absent' || found.etag !== etag ? undefined : found;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    const known = await readRetentionOnly(key, baseline, destination, signal);
    if (!known) throw error;
    return known;
  }
}

/**
 * Reads only the retention of a version that the job cannot read, for example because its customer-provided key is
 * missing. The lock must not expire in that case. Returns undefined if the version's extended attributes may be in a
 * separate object, because only the unreadable metadata names that object.
 */
async function readRetentionOnly(
  key: string,
  { etag, sizeBytes, versionId, xattrs }: BaselineEntry,
  { store, bucket, prefix }: Destination,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  if (versionId === undefined || xattrs !== undefined) return undefined;
  const version = { bucket, key: prefix + key, versionId };
  try {
    const retention = await store.getRetention(version, { signal });
    return { etag, sizeBytes, versionId, retention };
  } catch (error) {
    if (isStorageError(error, 'ObjectLockConfigurationNotFoundError'))
      return { etag, sizeBytes, versionId };
    throw error;
  }
}

/** Returns whether a failure may end without user action and does not concern only one object. */
function isTemporary({ outcome }: CheckedLock): boolean {
  return outcome.is === 'failed' && ['transient', 'service'].includes(failureKind(outcome.error));
}

/** Records the results of lock checks, and returns how many locks were set. */
function settle(checkedLocks: readonly CheckedLock[], context: RenewalContext): number {
  const { state, clock, tracker } = context;
  const settlements: Settlement[] = [];
  const failed: FailedCheck[] = [];
  let set = 0;
  for (const { row, baseline, outcome } of checkedLocks) {
    const { key, tries } = row;
    const path = pathOfKey(supersededVersion(row)?.key ?? key);
    const current = baseline && state.baseline.get(key);
    if (baseline && !(current && isSameVersion(current, baseline))) continue;
    if (outcome.is === 'locked') {
      const { found, retention, isSet } = outcome;
      if (isSet) set++;
      const { retainUntil } = retention;
      if (current)
        settlements.push({
          key,
          baseline: { ...withFound(current, found), retainUntil },
          reschedulesLock: true,
        });
      else state.locks.endSuperseded(row);
      tracker.clearProblem(path, 'not-locked');
      continue;
    }
    // If the upload response contained no version ID, the ID is recorded once here. It is needed when the version is
    // superseded.
    if (current && current.versionId === undefined && outcome.is === 'not locked')
      settlements.push({ key, baseline: withFound(current, outcome.found) });
    const waitMs = backOffMs(RETRY.lock, tries + 1);
    failed.push({ key, dueAt: clock.now() + waitMs });
    const end = baseline ? endText(baseline) : 'a superseded version is not locked';
    const message = `cannot lock ${path}: ${reasonText(outcome)}; ${end}; the job retries`;
    tracker.setProblem({ path, code: 'not-locked', message });
  }
  state.settle(settlements, failed);
  return set;
}

/**
 * Returns whether two baseline entries describe the same version. A new version may have been uploaded during the
 * check.
 */
function isSameVersion(a: BaselineEntry, b: BaselineEntry): boolean {
  return a.etag === b.etag && a.versionId === b.versionId;
}

function reasonText(outcome: Exclude<CheckedLock['outcome'], { is: 'locked' }>): string {
  if (outcome.is === 'failed') return errorMessage(outcome.error);
  if (outcome.is === 'absent') return 'the mirrored version does not exist in the bucket any more';
  return outcome.refusal === undefined
    ? RETENTION_NOT_REPORTED
    : `the service rejected the retention: ${outcome.refusal}`;
}

function endText({ retainUntil }: BaselineEntry): string {
  if (!retainUntil) return 'it is not locked';
  return `its lock ends ${new Date(retainUntil).toISOString()}`;
}
