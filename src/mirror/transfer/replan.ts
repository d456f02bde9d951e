/** One key looked at again, and planned anew with what is known now. */

import { defined } from '../../base/defined.ts';
import type { Action } from '../plan/action.ts';
import { compareContent } from './compare-content.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { DeleteGuard, FoundHead, Plan, RemoteHead } from '../plan/plan-types.ts';
import { pathOfKey } from '../model/local-path.ts';
import { settleUnseen, withLockUnseen } from './lock-new-version.ts';
import { unchanged } from '../model/compare.ts';
import { isDelete } from '../plan/delete-limit.ts';
import { planMirror } from '../plan/plan.ts';
import { isAsMeant, takeBack } from './copy-object.ts';
import { readEntry } from './read-entry.ts';
import { unread } from './step-failure.ts';
import { ended, OVER, settleDamaged, type PerformContext, type Step, type Work } from './step.ts';
import { findOwnVersion, type ReadHead, readHead, readVersion } from '../objects/destination.ts';
import type { BaselineEntry, LocalEntry } from '../model/types.ts';

/** For one key alone: its deletes are weighed by a round, which sees all of them. */
const NOTHING_PASSES: Omit<DeleteGuard, 'exempt'> = {
  files: 0,
  recentDeletes: Number.POSITIVE_INFINITY,
  heldBefore: 0,
};

/** Learns what was missing, and has the planner decide on it. */
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
  if (reading.status !== 'read') return unread(key, entry, reading, context);
  try {
    const { sha256, content } = reading;
    const known = state.baseline.get(key);
    const isAsKnown = known?.sha256 === sha256 && unchanged(known, reading.entry);
    if (isAsKnown && !action.readHead) return asKnown(entry.path, context);
    const found = { ...reading.entry, sha256, ...defined({ content }) };
    const remote = await head();
    if (!action.comparesContent || remote === 'absent') return replan(work, found, remote, context);
    const compared = await compareContent(work, { head: remote, file: reading }, context);
    return replan(work, found, compared, context);
  } finally {
    reading.release?.();
  }
}

/** What kept it from being read before is over. */
function asKnown(path: string, { tracker, retries }: PerformContext): Step {
  tracker.clearProblem(path, 'busy');
  tracker.clearProblem(path, 'unreadable');
  retries.forget(path);
  return OVER;
}

/** After a lost answer: our journal id at the head or below it means that it was done. */
export async function resolveSent(
  work: Work,
  sent: JournalRow,
  context: PerformContext,
): Promise<Step> {
  const { place, signal, tracker, guards } = context;
  if (sent.operation === 'put') {
    const own = await findOwnVersion(place, sent, signal);
    if (own && (await isAsMeant(sent, { ...own, key: sent.key }, place, signal))) {
      tracker.countUpload(sent.entry?.sizeBytes ?? 0);
      return settleUnseen(sent, own);
    }
    const guard = own && (await takeBack(context, sent.key, own, signal));
    if (own && guard && 'ifMatch' in guard) {
      context.hint(pathOfKey(sent.key));
      return { is: 'settled', settlement: settleDamaged(withLockUnseen(sent), own) };
    }
  }
  const head = await findHead(sent.key, context);
  // Refused for an ETag that the head has: such a condition is not sent again.
  if (head !== 'absent' && head.etag === work.refusedFor) guards.contradicted();
  const entry = 'entry' in work.action ? work.action.entry : undefined;
  return { ...replan(work, entry, head, context), settlement: ended(sent) };
}

/** With what the baseline tells of it. */
export async function findHead(
  key: string,
  { place, state, signal }: Pick<PerformContext, 'place' | 'state' | 'signal'>,
): Promise<(ReadHead & FoundHead) | 'absent'> {
  const head = await readHead(place, key, signal);
  if (head === 'absent' || !isOlderOwn(head, state.baseline.get(key))) return head;
  const { versionId } = state.baseline.get(key) ?? {};
  const newer = versionId === undefined ? 'absent' : { key, versionId };
  const isLost = newer === 'absent' || (await readVersion(place, newer, signal)) === 'absent';
  return { ...head, isOutdated: isLost };
}

/**
 * Whether the job uploaded the head before the version that the baseline tells of. A copy that another client made current has
 * a later time by the service: that is a change.
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
  // A delete that no round has weighed: the next one finds the key missing, and weighs it with all others.
  if (plan.halt && !context.state.holds([key]).has(key)) context.hint(pathOfKey(key));
  return { is: 'again', works: plan.actions.map((planned) => ({ action: planned, attempts })) };
}

export interface KeyNow {
  readonly key: string;
  readonly entry: (LocalEntry & { readonly sha256?: string }) | undefined;
  readonly head: RemoteHead | undefined;
  /** Whether a round weighed its delete. */
  readonly isWeighed?: boolean;
}

export function planKey(
  { key, entry, head, isWeighed = false }: KeyNow,
  { state, policy, clock }: PerformContext,
): Plan {
  const baseline = state.baseline.get(key);
  const deleteGuard = { ...NOTHING_PASSES, exempt: new Set(isWeighed ? [key] : []) };
  return planMirror({
    baseline: new Map(baseline ? [[key, baseline]] : []),
    local: {
      entries: new Map(entry ? [[key, entry]] : []),
      unlisted: new Set(),
      excludes: () => false,
    },
    remote: new Map(head === undefined ? [] : [[key, head]]),
    policy: { ...policy(), deleteGuard },
    holds: state.holds([key]),
    now: clock.now(),
  });
}
