/** Formats the answer of `holdfast job take-over`, which makes a job the owner of its destination. */

import { stateText } from '../../output/job-text.ts';
import { visible } from '../../output/text.ts';
import type { Answers } from '../../simple-call.ts';

export const JOB_ANSWERS: Answers = {
  'jobs.takeOver': ({ job, from }, { context }) => {
    const destination = `${job.bucket}${job.prefix === '' ? '' : `/${job.prefix}`}`;
    const { job: other = '?', root = '?', host = '?' } = from ?? {};
    const outcome = from
      ? `took over ${destination} for job ${job.name}; it belonged to job ${other} of folder ${root} on host ${host}`
      : `nothing to take over: no other job owns ${destination}`;
    return [visible(outcome), `job ${job.name}: ${stateText(job, context.out.paint)}`];
  },
};
