/** `holdfast jobs list|remove|pause|resume|run`. */

import type { Context } from './context.ts';
import { amountText, routeText, stateText } from './job-text.ts';
import { tableLines } from './output.ts';
import { visible } from './text.ts';

export async function listJobs(context: Context): Promise<void> {
  const { jobs } = await context.withDaemon((daemon) => daemon.call('status', {}));
  if (context.json) return context.out.json({ jobs });
  if (jobs.length === 0) {
    return context.out.lines('no jobs yet: add one with `holdfast up FOLDER`');
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

export async function removeJob(context: Context, name: string): Promise<void> {
  const removed = await context.withDaemon((daemon) => daemon.call('jobs.remove', { name }));
  if (context.json) return context.out.json(removed);
  await context.out.lines(
    `removed job ${name}; its bucket and all versions in it stay`,
    ...(removed.notes ?? []).map((note) => `  note: ${visible(note)}`),
  );
}

const DONE = {
  pause: 'paused',
  resume: 'resumed',
  run: 'started a full round of',
} as const;

export async function changeJob(
  context: Context,
  name: string,
  change: keyof typeof DONE,
): Promise<void> {
  const job = await context.withDaemon((daemon) => daemon.call(`jobs.${change}`, { name }));
  if (context.json) return context.out.json(job);
  await context.out.lines(`${DONE[change]} job ${name}: ${stateText(job, context.out.paint)}`);
}
