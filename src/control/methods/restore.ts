/** Methods that give back what was mirrored. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';

/** What of a job is meant. */
export const subjectSchema = z.object({
  /** Its name, or JOB/PATH; absent: the only job there is. */
  job: z.string().min(1).optional(),
  /** Absolute. Where no job has that name: the job whose folder it lies in, and only this of it. */
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

const runSchema = z.object({
  id: z.string(),
  job: z.string(),
  /** Below the job's folder; absent for all of it. */
  path: z.string().optional(),
  at: z.number().optional(),
  isUndo: z.literal(true).optional(),
  /** Absolute; absent until that is known. */
  to: z.string().optional(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  files: z.number().int(),
  bytes: z.number(),
  totalFiles: z.number().int().optional(),
  totalBytes: z.number().optional(),
  /** Of one that is done. */
  problemCount: z.number().int().optional(),
  failure: z.string().optional(),
});

export const RESTORE_METHODS = {
  'restore.run': {
    /** `id` is chosen by the caller: it names the `restore.progress` events. `stays`: it goes on when the caller is gone. */
    params: restoreParams.extend({ id: z.string(), stays: z.boolean().optional() }),
    result: restoreResultSchema,
  },
  /** Those that this daemon is at, and the last that have ended; the latest first. */
  'restores.list': { params: z.object({}), result: z.object({ runs: z.array(runSchema) }) },
  /** What `restore.run` resolves with, or rejects with, for another caller. */
  'restores.wait': { params: z.object({ id: z.string() }), result: restoreResultSchema },
  /** Ends one; what it has done stays. */
  'restores.stop': { params: z.object({ id: z.string() }), result: z.object({}) },
  /** A stream of rows that tell what `restore.run` would do. Nothing is written. */
  'restore.plan': {
    params: restoreParams,
    result: z.object({ to: z.string(), stream: z.string() }),
  },
} as const;
