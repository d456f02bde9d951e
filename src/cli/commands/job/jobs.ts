/** Implements `holdfast job list`, `pause`, `resume` and `run`. */

import type { JobStatus } from '../../../control/shapes.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { amountText, routeText, stateText } from '../../output/job-text.ts';
import { type Paint, tableLines } from '../../output/output.ts';

export async function listJobs(context: Context): Promise<void> {
  const { jobs } = await context.withDaemon((daemon) => daemon.call('status', {}));
  if (context.json) return context.out.json({ jobs });
  if (jobs.length === 0) {
    return context.remark('no jobs yet; to add one: holdfast up FOLDER');
  }
  const columns = ['JOB', 'STATE', 'AMOUNT', 'ROUTE'].map((title) => ({ title }));
  // The rows contain no colors, because escape sequences would count toward the width of a column.
  const rows = jobs.map((job) => [
    job.name,
    stateText({ ...job, reason: undefined }, (_tone, text) => text),
    amountText(job),
    routeText(job),
  ]);
  await context.out.lines(...tableLines(columns, rows));
}

/**
 * The states in which the requested sync round has to wait. All other states are not printed, because they are from
 * before the sync round.
 */
const IN_THE_WAY: ReadonlySet<string> = new Set(['failed', 'root missing', 'no room', 'clock']);

type Change = 'pause' | 'resume' | 'run';

/**
 * Pauses or resumes a job, or starts a full sync round. If no daemon is running, `pause` and `resume` edit
 * `config.yaml` for the next daemon. Returns `attention` if `run` is requested and the job has damaged versions.
 */
export async function changeJob(context: Context, name: string, change: Change): Promise<ExitCode> {
  const daemon = change === 'run' ? await context.connect() : await context.connectIfRunning();
  if (!daemon) return pauseOffline(context, name, change === 'pause');
  try {
    const job = await daemon.call(`jobs.${change}`, { name });
    const isDamaged = (job.proof?.damaged ?? 0) > 0;
    if (context.json) await context.out.json(job);
    else await context.out.prose(changedText(job, change, context.out.paint));
    return change === 'run' && isDamaged ? EXIT.attention : EXIT.ok;
  } finally {
    daemon.close();
  }
}

async function pauseOffline(context: Context, name: string, paused: boolean): Promise<ExitCode> {
  const { setJobPaused } = await import('../../../config/edit.ts');
  await setJobPaused(await context.home(), name, paused);
  if (context.json) await context.out.json({ name, paused });
  else
    await context.out.lines(
      paused
        ? `paused job ${name}: it mirrors nothing until it is resumed`
        : `resumed job ${name}: it continues when the daemon starts`,
    );
  return EXIT.ok;
}

function changedText(job: JobStatus, change: Change, paint: Paint): string {
  const state = stateText(job, paint);
  // The message describes the state instead of the change, because the job may already have been in that state.
  if (change === 'pause') return `job ${job.name} is paused`;
  if (change === 'resume') return `job ${job.name} is not paused: ${state}`;
  const waits = IN_THE_WAY.has(job.state) ? `; it waits: ${state}` : '';
  const damage = (job.proof?.damaged ?? 0) > 0 ? `; ${state}` : '';
  return `requested a full round of job ${job.name}${waits || damage}`;
}
