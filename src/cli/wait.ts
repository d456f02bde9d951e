/** `holdfast wait`: until all that was changed before is durable, and locked where it is to be. */

import { isAbort } from '../base/errors.ts';
import { defined } from '../base/defined.ts';
import { LOCAL_TARGET } from '../control/methods/target.ts';
import type { JobStatus } from '../control/shapes.ts';
import type { StoreHealth } from '../control/store-shapes.ts';
import { CommandError, EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { catchInterrupts } from './interrupts.ts';
import { attentionLines, needsAttention, stateText } from './job-text.ts';
import { storeLines } from './store-text.ts';
import { durationText } from './text.ts';
import { parseDuration } from './when.ts';

export interface WaitOptions {
  readonly timeout?: string;
}

const LONGEST_TIMEOUT_MS = 30 * 86_400_000;

/** 0 when all is durable, 3 when a job cannot continue, has a problem, or is kept in a store that is degraded. */
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
      const { jobs } = await daemon.call('status', {});
      const wanted = names.length > 0 ? names : jobs.map(({ name }) => name);
      const waiting = wanted.map((name) => daemon.call('jobs.settled', { name }, { signal }));
      const ended = await Promise.all(waiting);
      return [ended, (await daemon.call('status', {})).store] as const;
    });
    const usesStore = settled.some(({ job }) => job.target === LOCAL_TARGET);
    return await tellSettled(context, settled, usesStore ? store : undefined);
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
  store: StoreHealth | undefined,
): Promise<ExitCode> {
  const { paint } = context.out;
  if (context.json) await context.out.json({ settled, ...defined({ store }) });
  else {
    for (const { job, seconds } of settled)
      await context.out.lines(
        `${job.name}: ${stateText(job, paint)}${isDone(job) ? `, after ${durationText(seconds * 1_000)}` : ''}`,
        ...attentionLines(job, paint).map((line) => `  ${line}`),
      );
    if (store) await context.out.lines(...storeLines(store, paint));
  }
  const stuck = settled.some(({ job }) => needsAttention(job) || !isDone(job));
  const isDegraded = store !== undefined && store.state !== 'in order';
  return stuck || isDegraded ? EXIT.attention : EXIT.ok;
}

/** A change that came meanwhile may be under way; a job that stands still has not done what was waited for. */
function isDone({ state, inSync }: JobStatus): boolean {
  return inSync || ['watching', 'mirroring', 'scanning'].includes(state);
}
