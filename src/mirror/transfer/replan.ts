/** Reads the missing information about a key, and plans the key again. */

import { defined } from '../../base/defined.ts';
import type { Action } from '../plan/action.ts';
import { compareContent } from './compare-content.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { DeleteGuard, FoundHead, Plan, RemoteHead } from '../plan/plan-types.ts';
import { pathOfKey } from '../model/local-path.ts';
import { settleUnconfirmed, withUnconfirmedLock } from './lock-new-version.ts';
import { unchanged } from '../model/compare.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { planMirror } from '../plan/plan.ts';
import { hasIntendedContent, removeOwnWrite } from './copy-object.ts';
import { readEntry } from './read-entry.ts';
import { readFailed } from './step-failure.ts';
import { endRow, settleDamaged } from './put-rows.ts';
import { DONE, type PerformContext, type Step, type Work } from './step-types.ts';
import { findOwnVersion, type ReadHead, readHead, readVersion } from '../objects/destination.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';

/** Limits that allow no deletes, because only a round can count a delete together with all other deletes. */
const NO_DELETES_ALLOWED: Omit<DeleteGuard, 'exempt'> = {
  files: 0,
  recentDeletes: Number.POSITIVE_INFINITY,
  heldBefore: 0,
};

/** Reads the missing information about a key, and plans its next actions. */
export async function examine(
  work: Work,
  action: Extract<Action, { kind: 'examine' }>,
  context: PerformContext,
): Promise<Step> {
  const { state } = context;
  const { key, entry } = action;
  const head = () => findHead(key, context);
  if (!action.hashFile || !entry) return replan(work, entry, await head(), context);
  const reading = await readEntry(entry, context);
  if (reading.status !== 'read') return readFailed(key, entry, reading, context);
  try {
    const { sha256, content } = reading;
    const known = state.baseline.get(key);
    const isAsKnown = known?.sha256 === sha256 && unchanged(known, reading.entry);
    if (isAsKnown && !action.readHead) return clearReadProblems(entry.path, context);
    const found = { ...reading.entry, sha256, ...defined({ content }) };
    const remote = await head();
    if (!action.comparesContent || remote === 'absent') return replan(work, found, remote, context);
    const compared = await compareContent(work, { head: remote, file: reading }, context);
    return replan(work, found, compared, context);
  } finally {
    reading.release?.();
  }
}

/** Clears the problem of an earlier failed read. */
function clearReadProblems(path: string, { tracker, retries }: PerformContext): Step {
  tracker.clearProblem(path, 'busy');
  tracker.clearProblem(path, 'unreadable');
  retries.forget(path);
  return DONE;
}

/**
 * Resolves a request whose response was lost. If a version contains the request's journal id, the request succeeded.
 */
export async function resolveSent(
  work: Work,
  sent: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { destination, signal, tracker, guards } = context;
  if (sent.operation === 'put') {
    const own = await findOwnVersion(destination, sent, signal);
    if (own && (await hasIntendedContent(sent, { ...own, key: sent.key }, destination, signal))) {
      tracker.countUpload(sent.entry?.sizeBytes ?? 0);
      return settleUnconfirmed(sent, own);
    }
    const guard = own && (await removeOwnWrite(context, sent.key, own, signal));
    if (own && guard && 'ifMatch' in guard) {
      context.hint(pathOfKey(sent.key));
      return { is: 'settled', settlement: settleDamaged(withUnconfirmedLock(sent), own) };
    }
  }
  const head = await findHead(sent.key, context);
  // The service refused the condition although the current version has this ETag, so the job does not use the condition
  // again.
  if (head !== 'absent' && head.etag === work.refusedFor) guards.contradicted();
  const entry = 'entry' in work.action ? work.action.entry : undefined;
  return { ...replan(work, entry, head, context), settlement: endRow(sent) };
}

/**
 * Reads the current version. Marks the version as stale if the job wrote it before the baseline's version and the
 * latter no longer exists.
 */
export async function findHead(
  key: string,
  { destination, state, signal }: Pick<PerformContext, 'destination' | 'state' | 'signal'>,
): Promise<(ReadHead & FoundHead) | 'absent'> {
  const head = await readHead(destination, key, signal);
  if (head === 'absent' || !isOlderOwn(head, state.baseline.get(key))) return head;
  const { versionId } = state.baseline.get(key) ?? {};
  const newer = versionId === undefined ? 'absent' : { key, versionId };
  const isLost = newer === 'absent' || (await readVersion(destination, newer, signal)) === 'absent';
  return { ...head, isOutdated: isLost };
}

/**
 * Returns whether the job uploaded the current version before the baseline's version. If another client copied an old
 * version, the service's date is later, and the copy counts as a change.
 */
function isOlderOwn(head: ReadHead, known: BaselineEntry | undefined): boolean {
  const { uploadedAt } = known ?? {};
  if (head.isOwn !== true || uploadedAt === undefined || head.lastModifiedAt === undefined)
    return false;
  return (head.uploadedAt ?? 0) < uploadedAt && head.lastModifiedAt <= uploadedAt;
}

function replan(
  { action, attempts }: Work,
  entry: (LocalEntry & { readonly sha256?: string }) | undefined,
  head: RemoteHead,
  context: PerformContext,
): Step {
  const { key } = action;
  const isWeighed = isDelete(action) || (action.kind === 'examine' && action.isWeighed === true);
  const plan = planKey({ key, entry, head, isWeighed }, context);
  context.record(plan);
  // No round has counted this delete yet. The next round finds that the file is missing, and counts it together with
  // all other deletes.
  if (plan.halt && !context.state.heldChanges.among([key]).has(key)) context.hint(pathOfKey(key));
  return { is: 'again', works: plan.actions.map((planned) => ({ action: planned, attempts })) };
}

export interface KeyState {
  readonly key: string;
  readonly entry: (LocalEntry & { readonly sha256?: string }) | undefined;
  readonly head: RemoteHead | undefined;
  /** Whether a round has already counted the delete of this key. */
  readonly isWeighed?: boolean;
}

export function planKey(
  { key, entry, head, isWeighed = false }: KeyState,
  { state, policy, clock }: PerformContext,
): Plan {
  const baseline = state.baseline.get(key);
  const deleteGuard = { ...NO_DELETES_ALLOWED, exempt: new Set(isWeighed ? [key] : []) };
  return planMirror({
    baseline: new Map(baseline ? [[key, baseline]] : []),
    local: {
      entries: new Map(entry ? [[key, entry]] : []),
      unlisted: new Set(),
      excludes: () => false,
    },
    remote: new Map(head === undefined ? [] : [[key, head]]),
    policy: { ...policy(), deleteGuard },
    holds: state.heldChanges.among([key]),
    now: clock.now(),
  });
}
