/** Implements `holdfast job take-over`, which makes a job the owner of its destination in place of another job. */

import type { Context } from '../../context.ts';
import { stateText } from '../../output/job-text.ts';
import { visible } from '../../output/text.ts';

export async function takeOver(context: Context, name: string): Promise<void> {
  const result = await context.withDaemon((daemon) => daemon.call('jobs.takeOver', { name }));
  if (context.json) return context.out.json(result);
  const { job, from } = result;
  const place = `${job.bucket}${job.prefix === '' ? '' : `/${job.prefix}`}`;
  const said = from
    ? `took over ${place} for job ${name}; it belonged to job ${from.job ?? '?'} of folder ${from.root ?? '?'} on host ${from.host ?? '?'}`
    : `nothing to take over: ${place} belongs to no other job than ${name}`;
  await context.out.lines(visible(said), `job ${name}: ${stateText(job, context.out.paint)}`);
}
