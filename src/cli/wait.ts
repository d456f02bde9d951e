/** `holdfast wait`: until all that was changed before is durable, and locked where it is to be. */

import { isAbort } from '../base/errors.ts';
import type { JobStatus } from '../control/shapes.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { attentionLines, needsAttention, stateText } from './job-text.ts';
import { durationText } from './text.ts';
import { parseDuration } from './when.ts';

export interface WaitOptions {
  readonly timeout?: string;
}

const LONGEST_TIMEOUT_MS = 30 * 86_400_000;

/** 0 when all is durable, 3 when a job cannot go on or something was left with a problem. */
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
    const settled = await context.withDaemon(async (daemon) => {
      const { jobs } = await daemon.call('status', {});
      const wanted = names.length > 0 ? names : jobs.map(({ name }) => name);
      return Promise.all(wanted.map((name) => daemon.call('jobs.settled', { name }, { signal })));
    });
    return await tellSettled(context, settled);
  } catch (error) {
    if (!isAbort(error) || !late.signal.aborted) throw error;
    throw new CommandError(
      'TimedOut',
      `wait: not all was durable within ${timeout}`,
      '`holdfast status` tells what is left',
    );
  } finally {
    cancel();
    interrupts.release();
  }
}

async function tellSettled(
  context: Context,
  settled: readonly { readonly job: JobStatus; readonly seconds: number }[],
): Promise<ExitCode> {
  const { paint } = context.out;
  if (context.json) await context.out.json({ settled });
  else
    for (const { job, seconds } of settled)
      await context.out.lines(
        `${job.name}: ${stateText(job, paint)}${isDone(job) ? `, after ${durationText(seconds * 1_000)}` : ''}`,
        ...attentionLines(job, paint).map((line) => `  ${line}`),
      );
  const stuck = settled.some(({ job }) => needsAttention(job) || !isDone(job));
  return stuck ? EXIT.attention : EXIT.ok;
}

/** A change that came meanwhile may be under way; a job that stands still has not done what was waited for. */
function isDone({ state, inSync }: JobStatus): boolean {
  return inSync || ['watching', 'mirroring', 'scanning'].includes(state);
}
