/**
 * Formats the result of `holdfast job take-over`. The command makes a job the owner of its destination.
 */

import { awaitStart } from '../daemon/await-start.ts';
import { CommandError } from '../../output/command-error.ts';
import { stateText } from '../../output/job-text.ts';
import { visible } from '../../output/text.ts';
import type { Answers } from '../../simple-call.ts';

export const JOB_ANSWERS: Answers = {
  'jobs.takeOver': {
    lines: ({ job, from }, { context }) => {
      const destination = `${job.bucket}${job.prefix === '' ? '' : `/${job.prefix}`}`;
      const { job: other = '?', root = '?' } = from ?? {};
      const outcome = from
        ? `took over ${destination} for job ${job.name}; it belonged to job ${other} of folder ${root}`
        : `nothing to take over: no other job owns ${destination}`;
      return [
        visible(outcome),
        `job ${job.name}: ${stateText(job, context.out.paint)}`,
        ...(from && !job.locks ? [`job ${job.name} sets no locks; ${setLock(job.name)}`] : []),
      ];
    },
    /** While another job owns the destination, the reason for the job's state names that job and its last start. */
    details: async (context, { name }) => {
      const [job] = await context.withDaemon((daemon) =>
        awaitStart(daemon, context.io.clock, name),
      );
      if (!job)
        throw new CommandError('NotFound', `unknown job "${name}"`, 'see: holdfast job list');
      return [
        `job ${name}: ${stateText(job, (_tone, text) => text)}`,
        'If the job that owns the destination still runs, it backs up nothing after the takeover.',
      ];
    },
  },
};

function setLock(name: string): string {
  return `to set them: holdfast job edit ${name} lock='GOVERNANCE 30d'`;
}
