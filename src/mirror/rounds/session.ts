/** A job while it can work: it recovers what was left open, then runs rounds until something ends it. */

import { DAY_MS, MINUTE_MS } from '../../base/durations.ts';
import { abortUselessUploads } from '../transfer/unfinished-uploads.ts';
import type { Agenda, FullRoundRequest } from './agenda.ts';
import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import type { Ownership } from '../ownership/ownership.ts';
import { createExecutor } from '../transfer/executor.ts';
import { releaseHeld } from './held.ts';
import { expireSaved } from '../transfer/save-copy.ts';
import type { PerformContext } from '../transfer/step.ts';
import type { DeleteGuard, Plan, PlanPolicy, RemoteHead } from '../plan/plan-types.ts';
import { checkHeard, compareHeard, type HeardContext, takeHeard } from './heard-changes.ts';
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
  readonly claim: Ownership;
  readonly agenda: Agenda;
  readonly excluder: RoundContext['excluder'];
  readonly tree: RoundContext['tree'];
  readonly checkRoot: () => void;
  /** Sets the locks that no upload will confirm any more. */
  readonly lockUnseen: () => Promise<void>;
  /** `scanning` while a full round looks; undefined when it has looked. */
  readonly onPhase: (phase: 'scanning' | undefined) => void;
  readonly onRound: (round: FinishedRound, summary: string) => void;
}

/** Names of rows in the state's `meta`. */
const FIRST_ROUND_DONE = 'first round done';
const REMOTE_SCAN_EVERY_MS = DAY_MS;

/** Runs until `signal` is aborted or the work fails; rejects with the reason, when nothing is under way any more. */
export async function runSession(context: SessionContext, signal: AbortSignal): Promise<never> {
  const { place, state, agenda, tracker, guards } = context;
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  context.checkRoot();
  await context.claim.check(either);
  let bucket = await guards.lookAtBucket(either);
  await context.claim.hold(either);
  await recoverJournal(context, either);
  await context.lockUnseen();
  recoverReplacements(context);
  for (const key of state.held.keys()) tracker.setHeld(key, true);
  const hint = (path: string) => agenda.hint(path);
  const terms = () => termsOf(context, bucket);
  const policy = () => ({ ...terms(), deleteGuard: brakeOf(context) });
  const record = (plan: Plan) => recordPlan(plan, context);
  const shared = { ...context, signal: either, hint, record };
  const perform = { ...shared, policy: terms };
  const fail = (error: unknown) => failed.abort(error);
  const executor = createExecutor(perform, fail);
  // Ends of rounds: who waits for one is told, or given back, before the session is over.
  const ends = new Set<Promise<void>>();
  const follow = (end: Promise<void>) => {
    const followed = end.catch(fail).finally(() => ends.delete(followed));
    ends.add(followed);
  };
  // Versioning may be suspended at any time: from then on nothing is covered or deleted unsaved.
  const lookAtBucket = async () => {
    bucket = await guards.lookAtBucket(either);
  };
  const { doubt } = agenda;
  const hear = (key: string) => agenda.hear(key);
  const round = { ...shared, policy, executor, doubt, prefix: place.prefix, hear, lookAtBucket };
  try {
    agenda.doubt.reset();
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
  round: HeardContext,
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
    // A full scan sees all that was hinted at before it.
    agenda.takeHints();
    agenda.doubt.beginRound();
    context.checkRoot();
    // Somebody may have taken the place over.
    if (!isFirst) await context.claim.check(round.signal);
    const heard = takeHeard(agenda);
    const isBucket = heard.isBucket || (isListed && !isFirst);
    await checkHeard({ isBucket, isClaim: heard.isClaim || isListingDue }, round);
    const listed = isListed ? await remoteScan(context, round.signal) : undefined;
    const keys = heard.keys.filter((key) => !listed?.has(key));
    const compared = await compareHeard(keys, round);
    await releaseHeld(context, listed);
    await settleConflicts(context, round, isListed);
    const remote = listed ?? new Map<string, RemoteHead>();
    for (const [key, head] of compared.remote) remote.set(key, head);
    const isUrgent = requests.length > 0;
    const outcome = await runFullRound(round, { remote, isListed, isUrgent, after });
    agenda.looked();
    agenda.fullRoundIn(agenda.doubt.endRound(job.rescanMinutes * MINUTE_MS));
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
    agenda.giveBack(requests);
    throw error;
  } finally {
    context.onPhase(undefined);
  }
}

/** The heads that differ from the baseline; what nobody else tidies is tidied on the way. */
async function remoteScan(
  context: SessionContext,
  signal: AbortSignal,
): Promise<Map<string, RemoteHead>> {
  const { place, state, tracker, clock, job } = context;
  const since = clock.now();
  const remote = await scanRemote(place, state, { byVersion: job.lock !== undefined, signal });
  noteListed(state, since);
  tracker.filterDrifted((key) => remote.has(key));
  await expireSaved(context, signal);
  return remote;
}

/**
 * Large files may take hours: rounds go on meanwhile, and who waits for this one is told at its end. What was sent as it
 * was before is the matter of a second one, which finds under way only what began to be read after the request.
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
  if (signal.aborted) return agenda.giveBack(requests);
  done();
  for (const request of requests)
    if (!isLate || request.isSecond) request.done();
    else agenda.giveBack([{ ...request, remote: false, isSecond: true }]);
}

async function eventRound(context: SessionContext, round: HeardContext): Promise<void> {
  const { agenda, clock, tracker } = context;
  const startedAt = clock.monotonic();
  if (!agenda.hasHints()) return;
  // Somebody may have taken the place over.
  await context.claim.checkAgain(round.signal);
  const { askedAt: after } = agenda;
  const hints = agenda.takeHints();
  const heard = takeHeard(agenda);
  const since = agenda.oldestSince() ?? clock.now();
  await checkHeard(heard, round);
  const { remote, paths } = await compareHeard(heard.keys, round);
  const all = [...hints.keys(), ...paths];
  const outcome = await runEventRound(round, { hints: all, remote, since, after });
  agenda.looked();
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
  // A clock that was set back is not waited for.
  return Math.abs(clock.now() - last) >= REMOTE_SCAN_EVERY_MS;
}

function termsOf(
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
    answers: state.held.wishes(),
  };
}

function brakeOf({ state, clock }: SessionContext): DeleteGuard {
  return {
    files: state.baseline.totals().files,
    recentDeletes: state.countedDeletes.countSince(clock.now() - DELETE_WINDOW_MS),
    heldBefore: state.heldChanges.counts().deletes,
    exempt: new Set(),
  };
}
