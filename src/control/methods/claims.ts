/** Defines the control method that takes over the destination of a job. */

import { z } from 'zod';

import { jobStatusSchema } from '../shapes.ts';

const claimSchema = z.object({
  job: z.string().optional(),
  host: z.string().optional(),
  root: z.string().optional(),
});

export const CLAIM_METHODS = {
  /**
   * Makes the job the owner of its destination, even if the destination has the ownership marker of another job. `from`
   * is the previous owner, and is absent if the destination had none.
   */
  'jobs.takeOver': {
    summary: 'take over the destination of a job from another job',
    danger: 'destroys',
    commands: [
      {
        usage: 'job take-over <job>',
        examples: ['holdfast job take-over photos'],
        members: { job: 'name' },
        more: 'The other job stops with an error. Run this only if that job no longer exists, or if only this one continues.',
        destroys: 'take over the destination of job {job}',
      },
    ],

    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, from: claimSchema.optional() }),
  },
} as const;
