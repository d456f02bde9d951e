/**
 * Runs one session of a job: recovers interrupted work, then runs rounds until a round fails or the session is aborted.
 */

import { DELETE_WINDOW_MS } from '../plan/delete-limit.ts';
import { createExecutor } from '../transfer/executor.ts';
import { objectPutter } from '../transfer/put-object.ts';
import type { DeleteGuard, Plan, PlanPolicy } from '../plan/plan-types.ts';
import { eventRound } from './event-round.ts';
import { FIRST_ROUND_DONE, fullRound } from './full-round.ts';
import { LinkHints } from './link-hints.ts';
import { recordPlan } from './record-conflicts.ts';
import { recoverJournal } from './recover.ts';
import { recoverReplacements } from './recover-replacements.ts';
import type { SessionContext } from './round-context.ts';
import type { BucketKind } from '../model/types.ts';

/** Runs until `signal` is aborted or the work fails. Rejects with the reason once all work has ended. */
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
  const putObject = objectPutter(shared);
  const perform = { ...shared, putObject, policy: basePolicy };
  const fail = (error: unknown) => failed.abort(error);
  const executor = createExecutor(perform, fail);
  // Full rounds whose actions are still running. Before the session ends, each request for them is resolved or queued
  // again.
  const ends = new Set<Promise<void>>();
  const follow = (end: Promise<void>) => {
    const followed = end.catch(fail).finally(() => ends.delete(followed));
    ends.add(followed);
  };
  // Versioning may be suspended at any time, so the kind of bucket is read again. Without versioning, objects are saved
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
    linkHints: new LinkHints({ baseline: state.baseline, tracker, hint }),
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
