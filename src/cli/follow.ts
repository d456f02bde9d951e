/** Jobs followed on the screen: first until all is durable, then as they watch, until Ctrl-C. */

import { isAbort } from '../base/errors.ts';
import type { ControlClient } from '../control/client.ts';
import { isControlError } from '../control/control-error.ts';
import type { DaemonEvent, JobStatus } from '../control/messages.ts';
import { EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { eventLines } from './event-text.ts';
import { needsAttention } from './job-text.ts';
import { Progress } from './progress.ts';
import { Queue } from './queue.ts';
import { jobProgress, summaryLines } from './summary.ts';
import type { Settled } from './summary.ts';
import { visible } from './text.ts';

export interface Following {
  readonly context: Context;
  readonly daemon: ControlClient;
  /** Whether the daemon is in this process, and ends with it. */
  readonly own: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** As they were when they were added; absent for all. */
  readonly jobs: readonly JobStatus[] | undefined;
  readonly once: boolean;
}

export async function follow(following: Following): Promise<ExitCode> {
  const { context, daemon, once, signal } = following;
  const events = listen(following);
  try {
    await daemon.subscribe();
    const jobs = following.jobs ?? (await daemon.call('status', {})).jobs;
    const settled = await settle(following, jobs);
    if (once) return exitCodeOf(settled);
    if (!context.json) await context.out.lines(watchingText(following, jobs));
    await showEvents(following, events);
  } catch (error) {
    if (!signal.aborted && !isGone(error, events.stopping)) throw error;
  }
  if (!context.json) await context.out.lines(partingText(following, events.stopping));
  return once ? EXIT.failed : EXIT.ok;
}

interface Events {
  readonly queue: Queue<DaemonEvent>;
  /** The daemon said that it stops. */
  stopping: boolean;
}

/** Ends with the connection, or with Ctrl-C. */
function listen({ daemon, signal }: Following): Events {
  const events: Events = { queue: new Queue(), stopping: false };
  daemon.onEvent((event) => {
    events.stopping ||= event.event.type === 'stopping';
    events.queue.push(event);
  });
  daemon.onClose(() => events.queue.end());
  signal.addEventListener('abort', () => events.queue.end(), { once: true });
  return events;
}

/** Resolves when all that is on the disk now is durable, or is a named problem. */
async function settle(
  { context, daemon, signal, once }: Following,
  jobs: readonly JobStatus[],
): Promise<Settled[]> {
  const progress = new Progress(context.io);
  const latest = new Map(jobs.map((job) => [job.name, job]));
  const stopListening = daemon.onEvent(({ event }) => {
    if (event.type !== 'job.changed' || !latest.has(event.job.name)) return;
    latest.set(event.job.name, event.job);
    const { title, amounts } = jobProgress(jobs, [...latest.values()]);
    progress.show(title, amounts);
  });
  try {
    return await Promise.all(
      jobs.map(async (before) => {
        const result = await daemon.call('jobs.settled', { name: before.name }, { signal });
        const settled = { before, ...result };
        progress.clear();
        if (context.json && once) await context.out.jsonLine(result);
        if (!context.json) await context.out.lines(...summaryLines(settled, context.out.paint));
        return settled;
      }),
    );
  } finally {
    stopListening();
    progress.clear();
  }
}

/** What came while the jobs settled was shown as progress: only problems of it are told again. */
async function showEvents(following: Following, { queue }: Events): Promise<void> {
  const { context, jobs } = following;
  const names = jobs && new Set(jobs.map((job) => job.name));
  const states = new Map<string, string>();
  for await (const event of queue) {
    if (names && !names.has(jobOf(event))) continue;
    if (context.json) await context.out.jsonLine(event);
    else
      await context.out.lines(
        ...eventLines(event, { states, paint: context.out.paint, one: names?.size === 1 }),
      );
  }
}

function jobOf({ event }: DaemonEvent): string {
  if (event.type === 'job.changed') return event.job.name;
  if (event.type === 'activity') return event.job;
  return event.type === 'job.removed' ? event.name : '';
}

function exitCodeOf(settled: readonly Settled[]): ExitCode {
  const jobs = settled.map(({ job }) => job);
  if (jobs.some(({ state }) => state === 'failed' || state === 'root missing')) return EXIT.failed;
  return jobs.some(needsAttention) ? EXIT.attention : EXIT.ok;
}

function isGone(error: unknown, stopping: boolean): boolean {
  return stopping && (isAbort(error) || isControlError(error, 'Disconnected', 'Cancelled'));
}

function watchingText({ own, daemon }: Following, jobs: readonly JobStatus[]): string {
  const folders = jobs.map((job) => visible(job.folder)).join(', ') || 'for jobs';
  const end = own
    ? 'Ctrl-C stops'
    : `Ctrl-C ends this view; the daemon, pid ${daemon.hello.pid}, goes on`;
  return `watching ${folders}  (${end})`;
}

function partingText({ own, context, daemon }: Following, stopping: boolean): string {
  if (stopping) return 'the daemon was stopped';
  if (own) return 'stopping';
  return (
    `no longer following; the daemon, pid ${daemon.hello.pid}, goes on ` +
    `(stop it with \`holdfast down${context.homeOption}\`)`
  );
}
