/** Methods that give back what was mirrored. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';

export const RESTORE_METHODS = {
  'restore.run': {
    params: z.object({
      job: z.string(),
      to: z.string(),
      /** Milliseconds since 1970; absent for now. */
      at: z.number().optional(),
      /** Chosen by the caller: names the `restore.progress` events. */
      id: z.string(),
    }),
    result: restoreResultSchema,
  },
} as const;
