/** `holdfast jobs list|remove|pause|resume|run`. */

import { isTargetOf } from '../config/job-name.ts';
import type { JobStatus } from '../control/shapes.ts';
import { askYesNo, isAskable } from './ask.ts';
import { EXIT, type ExitCode } from './command-error.ts';
import type { Context } from './context.ts';
import { amountText, routeText, stateText } from './job-text.ts';
import { type Paint, tableLines } from './output.ts';
import { countText, timeText, visible } from './text.ts';

export async function listJobs(context: Context): Promise<void> {
  const { jobs } = await context.withDaemon((daemon) => daemon.call('status', {}));
  if (context.json) return context.out.json({ jobs });
  if (jobs.length === 0) {
    return context.remark('no jobs yet: add one with `holdfast up FOLDER`');
  }
  const columns = ['JOB', 'STATE', 'AMOUNT', 'ROUTE'].map((title) => ({ title }));
  // Colours would count as width in a table.
  const rows = jobs.map((job) => [
    job.name,
    stateText({ ...job, reason: undefined }, (_tone, text) => text),
    amountText(job),
    routeText(job),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

/** Asks where locks end to be renewed by it; a script is not asked. */
export async function removeJob(
  context: Context,
  name: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<ExitCode> {
  const removed = await context.withDaemon(async (daemon) => {
    const { jobs } = await daemon.call('status', {});
    const gone = jobs.filter((job) => job.name === name || isTargetOf(name, job.name));
    const ending = gone.flatMap(({ locks }) =>
      locks && locks.locked > 0 ? [endingText(locks)] : [],
    );
    const asks = ending.length > 0 && !yes && isAskable(context);
    if (asks && !(await askYesNo(context, `${ending.join('; ')}; remove job ${name}?`)))
      return undefined;
    const { notes = [] } = await daemon.call('jobs.remove', { name });
    return { notes: [...notes, ...ending] };
  });
  if (!removed) {
    await context.out.lines('nothing is removed');
    return EXIT.ok;
  }
  if (context.json) await context.out.json(removed);
  else
    await context.out.lines(
      `removed job ${name}; its bucket and all versions in it stay`,
      ...removed.notes.map((note) => `  note: ${visible(note)}`),
    );
  return EXIT.ok;
}

function endingText({ locked, earliestUntil }: NonNullable<JobStatus['locks']>): string {
  const first = earliestUntil === undefined ? '' : `, the first ${timeText(earliestUntil)}`;
  return `the locks of ${countText(locked, 'version')} are renewed no longer, and end${first}`;
}

const DONE = { pause: 'paused', resume: 'resumed' } as const;
/** In which a round waits; any other state is the one before it. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['failed', 'root missing', 'no room', 'clock']);

export async function changeJob(
  context: Context,
  name: string,
  change: keyof typeof DONE | 'run',
): Promise<ExitCode> {
  const job = await context.withDaemon((daemon) => daemon.call(`jobs.${change}`, { name }));
  const isDamaged = (job.proof?.damaged ?? 0) > 0;
  const exitCode = change === 'run' && isDamaged ? EXIT.attention : EXIT.ok;
  if (context.json) await context.out.json(job);
  else await context.out.lines(changedText(job, change, context.out.paint));
  return exitCode;
}

function changedText(job: JobStatus, change: keyof typeof DONE | 'run', paint: Paint): string {
  const state = stateText(job, paint);
  if (change !== 'run') return `${DONE[change]} job ${job.name}: ${state}`;
  const waits = IN_THE_WAY.has(job.state) ? `; it waits: ${state}` : '';
  const damage = (job.proof?.damaged ?? 0) > 0 ? `; ${state}` : '';
  return `asked for a full round of job ${job.name}${waits || damage}`;
}
