/** Methods that give back what was mirrored. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';

/** What of a job is meant. */
export const subjectSchema = z.object({
  /** Its name; absent: the only job there is. */
  job: z.string().min(1).optional(),
  /** Absolute: where no job has that name, the job is meant whose folder this lies in, and only this of it. */
  path: z.string().min(1).optional(),
});

export type Subject = z.infer<typeof subjectSchema>;

const restoreParams = subjectSchema.extend({
  /** Absolute; absent: where it came from. */
  to: z.string().optional(),
  /** Milliseconds since 1970 by the service's clock; absent for now. */
  at: z.number().optional(),
  /** What is later, or in the folder for another reason, is set aside too. */
  exact: z.boolean().optional(),
});

/** One row of what a restore would do; folders that would go end in `/`. */
export const restoreRowSchema = z.object({
  path: z.string(),
  is: z.enum(['new', 'replace', 'keep', 'later', 'problem']),
  sizeBytes: z.number().optional(),
  message: z.string().optional(),
});

export type RestoreRow = Readonly<z.infer<typeof restoreRowSchema>>;

export const RESTORE_METHODS = {
  'restore.run': {
    /** `id` is chosen by the caller: it names the `restore.progress` events. */
    params: restoreParams.extend({ id: z.string() }),
    result: restoreResultSchema,
  },
  /** A stream of rows that tell what `restore.run` would do. Nothing is written. */
  'restore.plan': {
    params: restoreParams,
    result: z.object({ to: z.string(), stream: z.string() }),
  },
} as const;
