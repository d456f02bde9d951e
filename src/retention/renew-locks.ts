/** Locks that are due: each looked at, extended where it is to be, and what was seen noted in the baseline. */

import PQueue from 'p-queue';

import { DAY_MS } from '../base/durations.ts';
import { errorMessage } from '../base/errors.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { pathOfKey } from '../mirror/model/local-path.ts';
import { failureKind } from '../mirror/model/failure-kind.ts';
import { backOffMs, RETRY } from '../mirror/model/retry-policy.ts';
import { withFound } from '../mirror/transfer/step.ts';
import { type FailedLook, type LockRow, supersededVersion } from '../mirror/state/lock-table.ts';
import type { Settlement } from '../mirror/state/state.ts';
import { type Place, type ReadHead, readVersion } from '../mirror/objects/destination.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { ensureLock, type LockOutcome } from '../mirror/objects/ensure-lock.ts';
import { lockSuperseded } from './late-locks.ts';
import { lockUntil } from '../mirror/objects/lock-rules.ts';
import type { RenewalContext } from './renewal-context.ts';

export interface Renewed {
  /** Locks that were extended, or set. */
  readonly set: number;
  readonly looked: number;
}

/** Looked at together, and noted in one transaction. */
const SLICE = 64;
/** A steady lane beside the uploads: a million locks that are due are extended in hours, and in nobody's way. */
const AT_ONCE = 4;

interface Looked {
  readonly row: LockRow;
  /** Absent for a superseded version. */
  readonly baseline?: BaselineEntry;
  readonly outcome: LockOutcome | { readonly is: 'failed'; readonly error: unknown };
}

/**
 * The next slice of what is due. One lock that fails is tried again later, and holds up no other; when all fail by what
 * may pass, the service is down: rejects with the first error, and nothing is put off.
 */
export async function renewDue(context: RenewalContext, signal: AbortSignal): Promise<Renewed> {
  const { state, clock } = context;
  const rows = state.locks.due(clock.now(), SLICE);
  if (rows.length === 0) return { set: 0, looked: 0 };
  const lane = new PQueue({ concurrency: AT_ONCE });
  const looked = await Promise.all(rows.map((row) => lane.add(() => look(row, context, signal))));
  signal.throwIfAborted();
  const known = looked.flatMap((each) => each ?? []);
  const [first] = known;
  if (first?.outcome.is === 'failed' && known.every(isPassing)) throw first.outcome.error;
  return { set: settle(known, context), looked: rows.length };
}

/** Undefined where there is nothing to be locked any more. */
async function look(
  row: LockRow,
  context: RenewalContext,
  signal: AbortSignal,
): Promise<Looked | undefined> {
  const { place, state, clock, termsOf } = context;
  const { key } = row;
  if (supersededVersion(row)) return lookAtSuperseded(row, context, signal);
  const baseline = state.baseline.get(key);
  const terms = termsOf(key);
  if (!baseline || !terms) {
    state.locks.note(key, 'drop');
    return undefined;
  }
  const now = clock.now();
  const wish = {
    mode: terms.mode,
    retainUntil: lockUntil(terms, now),
    atLeast: now + terms.days * DAY_MS,
  };
  const find = () => findVersion(key, baseline, place, signal);
  try {
    const outcome = await ensureLock({ place, key, now, find }, wish, signal);
    return { row, baseline, outcome };
  } catch (error) {
    signal.throwIfAborted();
    return { row, baseline, outcome: { is: 'failed', error } };
  }
}

async function lookAtSuperseded(
  row: LockRow,
  context: RenewalContext,
  signal: AbortSignal,
): Promise<Looked | undefined> {
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

/** The head if it is as last synced, whichever client wrote it; else the version that was synced, by its id. */
async function findVersion(
  key: string,
  baseline: BaselineEntry,
  place: Place,
  signal: AbortSignal,
): Promise<ReadHead | undefined> {
  const { etag, versionId } = baseline;
  try {
    const head = await readVersion(place, { key }, signal);
    if (head !== 'absent' && head.etag === etag) return head;
    if (versionId === undefined) return undefined;
    const found = await readVersion(place, { key, versionId }, signal);
    return found === 'absent' || found.etag !== etag ? undefined : found;
  } catch (error) {
    if (failureKind(error) !== 'refused') throw error;
    const known = await retentionAlone(key, baseline, place, signal);
    if (!known) throw error;
    return known;
  }
}

/**
 * Of a version that may not be looked at, as where its customer's key is not at hand: a lock must not lapse for that.
 * Undefined where its attributes lie elsewhere, perhaps, and nobody can tell where.
 */
async function retentionAlone(
  key: string,
  { etag, sizeBytes, versionId, xattrs }: BaselineEntry,
  { store, bucket, prefix }: Place,
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

/** What may pass without anybody's doing, and is not about one object. */
function isPassing({ outcome }: Looked): boolean {
  return outcome.is === 'failed' && ['transient', 'service'].includes(failureKind(outcome.error));
}

/** Returns how many locks were set. */
function settle(looked: readonly Looked[], context: RenewalContext): number {
  const { state, clock, tracker } = context;
  const settlements: Settlement[] = [];
  const failed: FailedLook[] = [];
  let set = 0;
  for (const { row, baseline, outcome } of looked) {
    const { key, tries } = row;
    const path = pathOfKey(supersededVersion(row)?.key ?? key);
    const current = baseline && state.baseline.get(key);
    if (baseline && !(current && isSameVersion(current, baseline))) continue;
    if (outcome.is === 'locked') {
      const { found, retention, isSet } = outcome;
      if (isSet) set++;
      const { retainUntil } = retention;
      if (current)
        settlements.push({ key, baseline: { ...withFound(current, found), retainUntil } });
      else state.locks.endSuperseded(row);
      tracker.clearProblem(path, 'not-locked');
      continue;
    }
    // Once, so that a version whose answer had no id is known when it is superseded.
    if (current && current.versionId === undefined && outcome.is === 'not locked')
      settlements.push({ key, baseline: withFound(current, outcome.found) });
    const waitMs = backOffMs(RETRY.lock, tries + 1);
    failed.push({ key, dueAt: clock.now() + waitMs });
    const end = baseline ? endOf(baseline) : 'a superseded version is not locked';
    const message = `lock ${path}: ${reasonOf(outcome)}; ${end}; it will be tried again`;
    tracker.setProblem({ path, code: 'not-locked', message });
  }
  state.settle(settlements, failed);
  return set;
}

/** A file may have been mirrored anew while its lock was looked at. */
function isSameVersion(a: BaselineEntry, b: BaselineEntry): boolean {
  return a.etag === b.etag && a.versionId === b.versionId;
}

function reasonOf(outcome: Exclude<Looked['outcome'], { is: 'locked' }>): string {
  if (outcome.is === 'failed') return errorMessage(outcome.error);
  if (outcome.is === 'absent') return 'the version that was mirrored is not in the bucket any more';
  return outcome.refusal === undefined
    ? 'the service does not show the retention that it was given'
    : `the service refused to extend it: ${outcome.refusal}`;
}

function endOf({ retainUntil }: BaselineEntry): string {
  if (!retainUntil) return 'it is not locked';
  return `its lock ends ${new Date(retainUntil).toISOString()}`;
}
