/**
 * Follows jobs and prints their activity. Ends when all changes are durable (`--once`), when the daemon stops, or on
 * Ctrl-C.
 */

import { isAbort } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { DaemonEvent, Result } from '../../../control/messages.ts';
import { EVENT_TYPES } from '../../../control/first-messages.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eventLines, rememberState } from '../../output/event-text.ts';
import { Progress } from '../../output/progress.ts';
import { Queue } from './queue.ts';
import {
  FAILED,
  type FolderCount,
  type Followed,
  jobProgress,
  summaryLines,
} from '../../output/summary.ts';
import type { Settled } from '../../output/summary.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';

export interface Following {
  readonly context: Context;
  readonly daemon: ControlClient;
  /** Whether the daemon runs in this process. */
  readonly own: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** The jobs to follow, with their status when they were added. Undefined to follow all jobs. */
  readonly jobs: readonly JobStatus[] | undefined;
  readonly once: boolean;
}

export async function follow(following: Following): Promise<ExitCode> {
  const { context, daemon, once, signal } = following;
  const view = openView(following);
  const showing = showEvents(following, view);
  // `showing` is awaited below. Before that, a failure such as a closed pipe must not cause an unhandled rejection.
  showing.catch(() => undefined);
  try {
    // A first backup may cause a million activity events of level `info`. They are requested only if they are printed.
    const isQuiet = once || !context.json;
    const level = isQuiet ? { activityLevel: 'warn' as const } : {};
    await daemon.subscribe({ types: [...EVENT_TYPES], ...level });
    const jobs = following.jobs ?? (await daemon.call('status', {})).jobs;
    const settled = await settle(following, view, jobs);
    if (once && context.json)
      await context.out.json({ settled: settled.map(({ job, seconds }) => ({ job, seconds })) });
    if (once) return exitCodeOf(settled);
    if (isQuiet) await daemon.subscribe();
    if (!context.json) await context.out.prose(...watchingLines(following, jobs));
    for (const { job } of settled) rememberState(job, view.states);
    view.quietUntil = context.io.clock.now();
    await showing;
  } catch (error) {
    if (!signal.aborted && !isGone(error, view.stopping)) throw error;
  } finally {
    view.events.end();
    await showing;
  }
  if (!context.json) await context.out.prose(partingText(following, view.stopping));
  return once ? EXIT.failed : EXIT.ok;
}

interface View {
  readonly events: Queue<DaemonEvent>;
  readonly progress: Progress;
  /** The state of each job that was printed last. */
  readonly states: Map<string, string>;
  /**
   * Until this time, in milliseconds since 1970, only warnings and errors are printed, because the progress and the
   * summary cover all other events.
   */
  quietUntil: number;
  /** Whether the daemon has reported that it is stopping. */
  stopping: boolean;
}

/** Collects the daemon's events until the connection closes or the user presses Ctrl-C. */
function openView({ context, daemon, signal }: Following): View {
  const events = new Queue<DaemonEvent>();
  const progress = new Progress(context);
  const view: View = {
    events,
    progress,
    states: new Map(),
    quietUntil: Infinity,
    stopping: false,
  };
  daemon.onEvent((event) => {
    view.stopping ||= event.event.type === 'stopping';
    events.push(event);
  });
  daemon.onClose(() => events.end());
  signal.addEventListener('abort', () => events.end(), { once: true });
  return view;
}

/**
 * Waits until each job has settled, as `jobs.settled` does. Prints the progress while it waits, and a summary of each
 * job.
 */
async function settle(
  following: Following,
  { progress }: View,
  jobs: readonly JobStatus[],
): Promise<Settled[]> {
  const { context, daemon, once } = following;
  const latest = new Map<string, Followed>(jobs.map((job) => [job.name, { before: job, job }]));
  progress.start(jobProgress([...latest.values()]).title);
  const update = (changed: Followed | undefined) => {
    if (!changed) return;
    latest.set(changed.job.name, changed);
    const { title, amounts } = jobProgress([...latest.values()]);
    progress.show(title, amounts);
  };
  const stopListening = daemon.onEvent(({ event }) => update(changedJob(event, latest)));
  const end = new AbortController();
  const counting = progress.isShown
    ? jobs.map((job) => countJob(context, job, { signal: end.signal, latest, update }))
    : [];
  try {
    return await Promise.all(
      jobs.map(async (before) => {
        const result = await settleOne(following, before.name);
        const settled = { before, ...result };
        progress.clear();
        if (context.json && once) await context.out.jsonEvent({ type: 'job.settled', ...result });
        if (!context.json) await context.out.prose(...summaryLines(settled, context.out.paint));
        return settled;
      }),
    );
  } finally {
    end.abort();
    stopListening();
    progress.end();
    await Promise.all(counting);
  }
}

/** Counts the folder of a job for its first backup, and stores the count with the followed job. */
async function countJob(
  context: Context,
  job: JobStatus,
  {
    signal,
    latest,
    update,
  }: {
    readonly signal: AbortSignal;
    readonly latest: ReadonlyMap<string, Followed>;
    readonly update: (changed: Followed) => void;
  },
): Promise<void> {
  if (job.counts.files > 0) return;
  const { countFirstBackup } = await import('./first-backup.ts');
  const onCount = (count: FolderCount) => {
    const known = latest.get(job.name);
    if (known) update({ ...known, count });
  };
  await countFirstBackup(context, job, { signal, onCount });
}

/** Returns a followed job after an event about its state or its transfers. Returns undefined for any other event. */
function changedJob(
  event: DaemonEvent['event'],
  latest: ReadonlyMap<string, Followed>,
): Followed | undefined {
  if (event.type === 'job.changed') {
    const known = latest.get(event.job.name);
    return known && { ...known, job: event.job };
  }
  if (event.type !== 'job.transfers') return undefined;
  const known = latest.get(event.job);
  return known && { ...known, transfers: event };
}

/**
 * Waits until a job has settled. If all jobs are followed and this job fails, for example because its service is
 * unreachable, returns its status, so that the other jobs are still followed. Otherwise throws the error.
 */
async function settleOne(
  { daemon, signal, jobs }: Following,
  name: string,
): Promise<Result<'jobs.settled'>> {
  try {
    return await daemon.call('jobs.settled', { name }, { signal });
  } catch (error) {
    if (jobs || !isControlError(error, 'Failed')) throw error;
    const job = (await daemon.call('status', {})).jobs.find((each) => each.name === name);
    if (job?.state !== 'failed') throw error;
    return { job, seconds: 0 };
  }
}

/** Prints the events of the followed jobs until the queue ends. */
async function showEvents(following: Following, view: View): Promise<void> {
  const { context, jobs, once } = following;
  const names = jobs && new Set(jobs.map((job) => job.name));
  const reading = {
    states: view.states,
    paint: context.out.paint,
    one: names?.size === 1,
  };
  for await (const event of view.events) {
    if (names && !names.has(jobOf(event))) continue;
    // The progress events contain the same information.
    if (event.event.type === 'job.transfers') continue;
    if (context.json && !once) await context.out.jsonEvent({ at: event.at, ...event.event });
    if (context.json || (event.at < view.quietUntil && !isWarning(event))) continue;
    const lines = eventLines(event, reading);
    if (lines.length > 0) view.progress.clear();
    await context.out.prose(...lines);
  }
}

function isWarning({ event }: DaemonEvent): boolean {
  return event.type === 'activity' && event.level !== 'info';
}

function jobOf({ event }: DaemonEvent): string {
  if (event.type === 'job.changed') return event.job.name;
  if (event.type === 'activity') return event.job;
  return event.type === 'job.removed' ? event.name : '';
}

function exitCodeOf(settled: readonly Settled[]): ExitCode {
  const jobs = settled.map(({ job }) => job);
  if (jobs.some(({ state }) => FAILED.has(state))) return EXIT.failed;
  return jobs.some(({ protection }) => protection.is === 'at risk') ? EXIT.attention : EXIT.ok;
}

function isGone(error: unknown, stopping: boolean): boolean {
  return stopping && (isAbort(error) || isControlError(error, 'Disconnected', 'Cancelled'));
}

function watchingLines({ own, daemon, context }: Following, jobs: readonly JobStatus[]): string[] {
  const [only] = jobs;
  const folders = jobs.length === 1 && only ? visible(only.folder) : countText(jobs.length, 'job');
  const end = own
    ? 'Ctrl-C stops'
    : `Ctrl-C ends this view; the daemon, pid ${daemon.hello.pid}, keeps running`;
  const isOnTerminal = own && context.io.stdout.isTTY === true;
  return [
    `watching ${folders}  (${end})`,
    ...(isOnTerminal
      ? [
          'closing this terminal stops the backup, too; to run it in the background: holdfast up --detach',
        ]
      : []),
  ];
}

function partingText({ own, daemon }: Following, stopping: boolean): string {
  if (stopping) return 'the daemon was stopped';
  if (own) return 'stopping';
  return (
    `no longer following; the daemon, pid ${daemon.hello.pid}, keeps running ` +
    '(to stop it: holdfast down)'
  );
}
