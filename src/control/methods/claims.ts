/** Methods on the place in a bucket that a job owns. */

import { z } from 'zod';

import { jobStatusSchema } from '../shapes.ts';

const claimSchema = z.object({
  job: z.string().optional(),
  host: z.string().optional(),
  root: z.string().optional(),
});

export const CLAIM_METHODS = {
  /** The job's place is its own from now on, whoever claimed it; `from` is whose it was. */
  'jobs.takeOver': {
    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, from: claimSchema.optional() }),
  },
} as const;
