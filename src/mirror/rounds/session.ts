/** Runs one session of a job: recovers interrupted work, then runs rounds until one fails or the session is aborted. */

import { DAY_MS, MINUTE_MS } from '../../base/durations.ts';
import { abortUselessUploads } from '../transfer/unfinished-uploads.ts';
import type { Agenda, FullRoundRequest } from './agenda.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { createExecutor } from '../transfer/executor.ts';
import { releaseHeld } from './release-held.ts';
import { expireSaved } from '../transfer/save-copy.ts';
import type { PerformContext } from '../transfer/step.ts';
import type { DeleteGuard, Plan, PlanPolicy, RemoteHead } from '../plan/plan-types.ts';
import {
  rereadBucket,
  compareChangedKeys,
  type RemoteChangesContext,
  takeRemoteChanges,
} from './remote-changes.ts';
import { recordPlan } from './record-plan.ts';
import { recoverJournal } from './recover.ts';
import { recoverReplacements } from './recover-replacements.ts';
import { listedAt, noteListed, scanRemote } from './remote-scan.ts';
import type { RoundContext } from './round-context.ts';
import { settleConflicts } from '../conflicts/settle-conflicts.ts';
import { runEventRound, runFullRound } from './round.ts';
import type { FinishedRound } from '../model/round-record.ts';
import type { BucketKind, MirrorJob } from '../model/types.ts';

export interface SessionContext extends Omit<
  PerformContext,
  'signal' | 'policy' | 'record' | 'hint'
> {
  readonly job: MirrorJob;
  readonly ownership: Ownership;
  readonly agenda: Agenda;
  readonly excluder: RoundContext['excluder'];
  readonly tree: RoundContext['tree'];
  readonly checkRoot: RoundContext['checkRoot'];
  /** Sets the locks that no upload will confirm any more. */
  readonly lockUnseen: () => Promise<void>;
  /** Called with `scanning` when a full round starts to scan, and with undefined after the scan. */
  readonly onPhase: (phase: 'scanning' | undefined) => void;
  readonly onRound: (round: FinishedRound, summary: string) => void;
}

/** Name of the `meta` record in the job's state with the time of the first full round. */
const FIRST_ROUND_DONE = 'first round done';
const REMOTE_SCAN_EVERY_MS = DAY_MS;

/** Runs until `signal` is aborted or the work fails. Rejects with the reason after all work has ended. */
export async function runSession(context: SessionContext, signal: AbortSignal): Promise<never> {
  const { destination, state, agenda, tracker, guards } = context;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  context.checkRoot();
  await context.ownership.check(either);
  let bucket = await guards.readBucket(either);
  await context.ownership.hold(either);
  await recoverJournal(context, either);
  await context.lockUnseen();
  recoverReplacements(context);
  for (const key of state.held.keys()) tracker.setHeld(key, true);
  const hint = (path: string) => agenda.hint(path);
  const basePolicy = () => basePolicyOf(context, bucket);
  const policy = () => ({ ...basePolicy(), deleteGuard: deleteGuardOf(context) });
  const record = (plan: Plan) => recordPlan(plan, context);
  const shared = { ...context, signal: either, hint, record };
  const perform = { ...shared, policy: basePolicy };
  const fail = (error: unknown) => failed.abort(error);
  const executor = createExecutor(perform, fail);
  // The pending ends of full rounds. Each request is answered or queued again before the session ends.
  const ends = new Set<Promise<void>>();
  const follow = (end: Promise<void>) => {
    const followed = end.catch(fail).finally(() => ends.delete(followed));
    ends.add(followed);
  };
  // Reads the kind of bucket again, because versioning may be suspended at any time. From then on, objects are saved
  // before they are replaced or deleted.
  const refreshBucket = async () => {
    bucket = await guards.readBucket(either);
  };
  const { missedEvents } = agenda;
  const hintKey = (key: string) => agenda.hintKey(key);
  const round = {
    ...shared,
    policy,
    executor,
    missedEvents,
    prefix: destination.prefix,
    hintKey,
    refreshBucket,
  };
  try {
    agenda.missedEvents.reset();
    agenda.fullRoundIn(0);
    for (let isFirst = true; ; isFirst = false) {
      const next = await agenda.next(either);
      if (next === 'full') await fullRound(context, round, { isFirst, follow });
      else await eventRound(context, round);
    }
  } finally {
    failed.abort();
    await executor.idle();
    await Promise.all(ends);
    tracker.reset();
    context.onPhase(undefined);
  }
}

interface FullRoundOptions {
  readonly isFirst: boolean;
  readonly follow: (end: Promise<void>) => void;
}

async function fullRound(
  context: SessionContext,
  round: RemoteChangesContext,
  { isFirst, follow }: FullRoundOptions,
): Promise<void> {
  const { agenda, state, clock, job } = context;
  const { isListingDue } = agenda;
  const requests = agenda.takeRequests();
  const startedAt = clock.monotonic();
  const { askedAt: after } = agenda;
  if (requests.length === 0 && !agenda.isInvited) context.tree.reportScan();
  const isAsked = isListingDue || requests.some(({ remote }) => remote);
  const isListed = isFirst || isAsked || isRemoteDue(context);
  try {
    context.onPhase('scanning');
    agenda.fullRoundIn(job.rescanMinutes * MINUTE_MS);
    // A full scan covers all earlier hints.
    agenda.takeHints();
    agenda.missedEvents.beginRound();
    context.checkRoot();
    // Another installation may have taken over the prefix.
    if (!isFirst) await context.ownership.check(round.signal);
    const changes = takeRemoteChanges(agenda);
    const isBucket = changes.isBucket || (isListed && !isFirst);
    await rereadBucket({ isBucket, isMarker: changes.isMarker || isListingDue }, round);
    const listed = isListed ? await remoteScan(context, round.signal) : undefined;
    const keys = changes.keys.filter((key) => !listed?.has(key));
    const compared = await compareChangedKeys(keys, round);
    await releaseHeld(context, listed);
    await settleConflicts(context, round, isListed);
    const remote = listed ?? new Map<string, RemoteHead>();
    for (const [key, head] of compared.remote) remote.set(key, head);
    const isUrgent = requests.length > 0;
    const outcome = await runFullRound(round, { remote, isListed, isUrgent, after });
    agenda.planned();
    agenda.fullRoundIn(agenda.missedEvents.endRound(job.rescanMinutes * MINUTE_MS));
    const kind = isListed ? 'full round with bucket listing' : 'full round';
    const { isLate } = outcome;
    const end = finish({ requests, isLate }, context, round, () => {
      const seconds = (clock.monotonic() - startedAt) / 1_000;
      state.setMeta(FIRST_ROUND_DONE, String(clock.now()));
      const { actions } = outcome;
      const over = finished(isListed ? 'listing' : 'full', seconds, actions, clock.now());
      context.onRound(over, `${kind}: ${actionsText(actions)} in ${seconds.toFixed(1)} s`);
    });
    follow(end);
  } catch (error) {
    agenda.returnRequests(requests);
    throw error;
  } finally {
    context.onPhase(undefined);
  }
}

/** Lists the bucket, and returns the current versions that differ from the baseline. Also expires saved copies. */
async function remoteScan(
  context: SessionContext,
  signal: AbortSignal,
): Promise<Map<string, RemoteHead>> {
  const { destination, state, tracker, clock, job } = context;
  const since = clock.now();
  const remote = await scanRemote(destination, state, {
    byVersion: job.lock !== undefined,
    signal,
  });
  noteListed(state, since);
  tracker.filterDrifted((key) => remote.has(key));
  await expireSaved(context, signal);
  return remote;
}

/**
 * Waits for the actions of a full round, which may take hours for large files while other rounds continue. If files
 * changed while they were sent, a second round runs before the requests end.
 */
async function finish(
  {
    requests,
    isLate,
  }: { readonly requests: readonly FullRoundRequest[]; readonly isLate: boolean },
  context: SessionContext,
  { executor, signal }: RoundContext,
  done: () => void,
): Promise<void> {
  const { agenda } = context;
  await executor.idle();
  if (!signal.aborted) await abortUselessUploads(context, signal);
  if (signal.aborted) return agenda.returnRequests(requests);
  done();
  for (const request of requests)
    if (!isLate || request.isSecond) request.done();
    else agenda.returnRequests([{ ...request, remote: false, isSecond: true }]);
}

async function eventRound(context: SessionContext, round: RemoteChangesContext): Promise<void> {
  const { agenda, clock, tracker } = context;
  const startedAt = clock.monotonic();
  if (!agenda.hasHints()) return;
  // Another installation may have taken over the prefix.
  await context.ownership.checkAgain(round.signal);
  const { askedAt: after } = agenda;
  const hints = agenda.takeHints();
  const changes = takeRemoteChanges(agenda);
  const since = agenda.oldestSince() ?? clock.now();
  await rereadBucket(changes, round);
  const { remote, paths } = await compareChangedKeys(changes.keys, round);
  const all = [...hints.keys(), ...paths];
  const outcome = await runEventRound(round, { hints: all, remote, since, after });
  agenda.planned();
  tracker.changed();
  const tookMs = clock.monotonic() - startedAt;
  agenda.quietFor(tookMs);
  const { actions } = outcome;
  if (actions === 0) return;
  const over = finished('event', tookMs / 1_000, actions, clock.now());
  context.onRound(over, `event round: ${actionsText(actions)}`);
}

function actionsText(actions: number): string {
  return actions === 1 ? '1 action' : `${actions} actions`;
}

function finished(
  kind: FinishedRound['kind'],
  seconds: number,
  actions: number,
  now: number,
): FinishedRound {
  return { kind, startedAt: now - Math.round(seconds * 1_000), endedAt: now, actions };
}

function isRemoteDue({ state, clock }: SessionContext): boolean {
  const last = listedAt(state) ?? 0;
  // The absolute value prevents a clock that was set back from delaying the next listing.
  return Math.abs(clock.now() - last) >= REMOTE_SCAN_EVERY_MS;
}

function basePolicyOf(
  { state, job }: SessionContext,
  bucket: BucketKind,
): Omit<PlanPolicy, 'deleteGuard'> {
  const { conflict, drift, lock } = job;
  return {
    bucket,
    conflict,
    drift,
    ...(lock && { lock }),
    isFirstRound: state.meta(FIRST_ROUND_DONE) === undefined,
    heldKeys: state.held.keys(),
    answers: state.held.requested(),
  };
}

function deleteGuardOf({ state, clock }: SessionContext): DeleteGuard {
  return {
    files: state.baseline.totals().files,
    recentDeletes: state.countedDeletes.countSince(clock.now() - DELETE_WINDOW_MS),
    heldBefore: state.heldChanges.counts().deletes,
    exempt: new Set(),
  };
}
