/**
 * Runs a full round. It scans the whole folder, lists the bucket if that is due, compares both with the baseline, plans
 * all differences and submits the actions. Deletes are planned last and together, so that the mass-change guard counts
 * all of them.
 */

import { DAY_MS, MINUTE_MS } from '../../base/durations.ts';
import { settleConflicts } from '../conflicts/settle-conflicts.ts';
import { parentOf } from '../model/local-path.ts';
import type { RemoteHead } from '../plan/plan-types.ts';
import { expireSaved } from '../transfer/save-copy.ts';
import { abortUselessUploads } from '../transfer/unfinished-uploads.ts';
import type { FullRoundRequest } from './agenda.ts';
import { planMissing } from './plan-deletes.ts';
import { releaseHeld } from './release-held.ts';
import {
  compareChangedKeys,
  type RemoteChangesContext,
  rereadBucket,
  takeRemoteChanges,
} from './remote-changes.ts';
import { listedAt, noteListed, scanRemote } from './remote-scan.ts';
import {
  gather,
  type Gathered,
  type RoundContext,
  type RoundOutcome,
  type SessionContext,
} from './round-context.ts';
import { actionsText, finishedRound } from './round-history.ts';
import { planRemote } from './plan-changes.ts';
import { forgetBelow, scanBelow } from './plan-folder.ts';
import { planSavesWhileFull } from './plan-saves.ts';

/** Name of the value in the job's state that stores when the first full round ended. */
export const FIRST_ROUND_DONE = 'first round done';
const REMOTE_SCAN_EVERY_MS = DAY_MS;

export interface FullRoundOptions {
  readonly isFirst: boolean;
  readonly follow: (end: Promise<void>) => void;
}

/** Runs a full round, and resolves the requests for it. Rejects with errors that end the session. */
export async function fullRound(
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
    // The full scan covers all changed paths that were queued earlier.
    agenda.takeHints();
    agenda.missedEvents.beginRound();
    context.checkRoot();
    // Another installation may have taken over the prefix since the last check.
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
    const outcome = await planRoot(context, round, { remote, isListed, isUrgent, after });
    agenda.planned();
    agenda.fullRoundIn(agenda.missedEvents.endRound(job.rescanMinutes * MINUTE_MS));
    const kind = isListed ? 'full round with bucket listing' : 'full round';
    const { isLate } = outcome;
    const end = finish({ requests, isLate }, context, round, () => {
      const seconds = (clock.monotonic() - startedAt) / 1_000;
      state.setMeta(FIRST_ROUND_DONE, String(clock.now()));
      const { actions } = outcome;
      const over = finishedRound(isListed ? 'listing' : 'full', seconds, actions, clock.now());
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

/**
 * Lists the bucket, and returns the current versions that differ from the baseline. Also removes saved copies that have
 * expired.
 */
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
 * Waits for a full round's actions. For large files, they may take hours, but other rounds continue. If files changed
 * while they were uploaded, a second round runs before the requests are resolved.
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

function isRemoteDue({ state, clock }: SessionContext): boolean {
  const last = listedAt(state) ?? 0;
  // With the absolute value, a clock that was set back does not delay the next listing.
  return Math.abs(clock.now() - last) >= REMOTE_SCAN_EVERY_MS;
}

interface FoundChanges {
  /** Current versions that differ from the baseline. They are complete only if the bucket was listed. */
  readonly remote: Map<string, RemoteHead>;
  readonly isListed: boolean;
  /** Whether a caller is waiting for this round. */
  readonly isUrgent: boolean;
  /** The logical time of the newest request or queued change. */
  readonly after: number;
}

/** Scans the whole folder, and plans all differences. */
async function planRoot(
  { agenda }: SessionContext,
  context: RoundContext,
  round: FoundChanges,
): Promise<RoundOutcome> {
  const capacity = () => planSavesWhileFull(agenda, context, gathered);
  const since = context.clock.now();
  const gathered = gather({ ...round, isFull: true, since, saved: new Set(), capacity });
  context.tree.takeReplacedFolders();
  await scanBelow('', context, gathered);
  forgetUnseen(gathered, context);
  await planRemote(context, gathered);
  return planMissing(context, gathered);
}

/**
 * Clears the problems of folders that appeared and vanished without ever having a baseline row. Only a full scan shows
 * that such folders no longer exist.
 */
function forgetUnseen({ scanned, unlisted }: Gathered, context: RoundContext): void {
  const isSeen = (folder: string) => scanned.has(folder) || isBelow(folder, unlisted);
  for (const folder of context.tracker.foldersWithProblems())
    if (!isSeen(folder)) forgetBelow(folder, context);
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let above = path; above !== ''; above = parentOf(above))
    if (folders.has(parentOf(above))) return true;
  return false;
}
