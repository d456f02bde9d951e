/** Implements `holdfast wait`. It waits until all earlier changes are durable and locked as configured. */

import { isAbort } from '../../../base/errors.ts';
import { defined } from '../../../base/defined.ts';
import { LOCAL_TARGET } from '../../../control/local-target.ts';
import type { Result } from '../../../control/messages.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import type { StoreHealth } from '../../../control/store-shapes.ts';
import { CommandError, EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachJob, exitWith, type JobsDone, printFailedJobs } from '../job/each-job.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { attentionLines, stateText } from '../../output/job-text.ts';
import { lockLines } from '../../output/lock-text.ts';
import { storeLines } from '../../output/store-text.ts';
import { durationText } from '../../../text/time.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface WaitOptions {
  readonly timeout?: string;
}

const LONGEST_TIMEOUT_MS = 30 * 86_400_000;

/**
 * Waits for the jobs. Returns exit code 3 if a job cannot continue, is at risk or has locks that are not set. Also
 * returns 3 if a job uses the embedded store and the store is degraded.
 */
export async function wait(
  context: Context,
  names: readonly string[],
  { timeout }: WaitOptions,
): Promise<ExitCode> {
  const { clock, stderr } = context.io;
  const interrupts = catchInterrupts(stderr);
  const late = new AbortController();
  const cancel =
    timeout === undefined
      ? () => undefined
      : clock.after(parseDuration(timeout, LONGEST_TIMEOUT_MS), () => late.abort());
  const signal = AbortSignal.any([interrupts.signal, late.signal]);
  try {
    const [settled, store] = await context.withDaemon(async (daemon) => {
      const ask = (name: string) => daemon.call('jobs.settled', { name }, { signal });
      const ended = await eachJob(daemon, names, ask, 'at once');
      return [ended, (await daemon.call('status', {})).store] as const;
    });
    const usesStore = settled.done.some(({ job }) => job.target === LOCAL_TARGET);
    const code = await printSettled(context, settled, usesStore ? store : undefined);
    await printFailedJobs(context, settled.failed);
    return exitWith(settled, code);
  } catch (error) {
    if (!isAbort(error) || !late.signal.aborted) throw error;
    throw new CommandError(
      'TimedOut',
      `not all changes were durable within ${timeout}`,
      'to see what is pending: holdfast status',
    );
  } finally {
    cancel();
    interrupts.release();
  }
}

type Settled = Result<'jobs.settled'>;

async function printSettled(
  context: Context,
  { done: settled, failed }: JobsDone<Settled>,
  store: StoreHealth | undefined,
): Promise<ExitCode> {
  const { paint } = context.out;
  if (context.json) await context.out.json({ settled, failed, ...defined({ store }) });
  else {
    for (const { job, seconds } of settled)
      await context.out.prose(
        `${job.name}: ${stateText(job, paint)}${isDone(job) ? `, after ${durationText(seconds * 1_000)}` : ''}`,
        ...[...attentionLines(job, paint), ...(hasOpenLocks(job) ? lockLines(job) : [])].map(
          (line) => `  ${line}`,
        ),
      );
    if (store) await context.out.prose(...storeLines(store, paint));
  }
  const stuck = settled.some(
    ({ job }) => job.protection.is === 'at risk' || !isDone(job) || hasOpenLocks(job),
  );
  const isDegraded = store !== undefined && store.state !== 'in order';
  return stuck || isDegraded ? EXIT.attention : EXIT.ok;
}

/** Returns whether a lock is due for renewal, or could not be checked or extended. */
function hasOpenLocks({ locks }: JobStatus): boolean {
  return locks !== undefined && locks.renewalsDue + locks.failing > 0;
}

/**
 * Returns whether the job has applied the changes that the command waited for. A job in these states may already be
 * working on later changes. In any other state, the job stopped before it had applied all changes.
 */
function isDone({ state, inSync }: JobStatus): boolean {
  return inSync || ['watching', 'mirroring', 'scanning'].includes(state);
}
