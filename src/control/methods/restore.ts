/** Declares the control methods that restore files from the bucket. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';
import { atTarget } from './target.ts';

/** Selects a job, or a path in its folder. Without any member, selects the only job. */
export const subjectSchema = z.object({
  /** Name of the job, or JOB/PATH. */
  job: z.string().min(1).optional(),
  /** Absolute path. If no job has the given name, selects this path in the job whose folder contains it. */
  path: z.string().min(1).optional(),
  /** The object or the folder of a path, at a target or in the embedded store. */
  object: z.object({ bucket: z.string().min(1), key: z.string(), ...atTarget }).optional(),
});

/** Number of versions of one file before the current one. Delete markers count. */
export const versionsBack = z.number().int().min(0).optional();

export type Subject = Readonly<z.infer<typeof subjectSchema>>;

/** Maximum number of paths of a restore: more than a user selects one by one. */
export const MAX_PATHS = 1_000;

const restoreParams = subjectSchema.extend({
  /**
   * Paths below the selected folder, such as `letters/ann`. Only these are restored, and each keeps its place below the
   * target folder. Absent for the whole folder.
   */
  paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS).optional(),
  /** Absolute path of the target folder; absent to restore to the original location. */
  to: z.string().optional(),
  /** Time to restore, in milliseconds since 1970 by the service's clock; absent for the current versions. */
  at: z.number().optional(),
  versionsBack,
  /** Whether to also set aside files in the target folder that are not in the restored tree. */
  exact: z.boolean().optional(),
});

/**
 * A row of `restore.plan`: what the restore would do with one path. The path of a folder that would be set aside ends
 * in `/`.
 */
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
  /** Path relative to the job's folder; absent for the whole folder. */
  path: z.string().optional(),
  /** Paths below that folder; absent if all of it is restored. */
  paths: z.array(z.string()).optional(),
  at: z.number().optional(),
  isUndo: z.literal(true).optional(),
  /** Absolute path of the target folder; absent until it is known. */
  to: z.string().optional(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  files: z.number().int(),
  bytes: z.number(),
  totalFiles: z.number().int().optional(),
  totalBytes: z.number().optional(),
  /** Number of problems; present if `state` is `done`. */
  problemCount: z.number().int().optional(),
  failure: z.string().optional(),
});

export const RESTORE_METHODS = {
  'restore.run': {
    summary: 'restore files; those that it replaces are set aside',
    danger: 'changes',

    /**
     * `id` is chosen by the caller, and identifies the `restore.progress` events. With `stays`, the restore continues
     * after the caller disconnects.
     */
    params: restoreParams.extend({ id: z.string(), stays: z.boolean().optional() }),
    result: restoreResultSchema,
  },
  /** Returns the restores that are running and the last ones that have ended, latest first. */
  'restores.list': {
    summary: 'list the restores that are running or have ended',
    danger: 'reads',
    params: z.object({}),
    result: z.object({ runs: z.array(runSchema) }),
  },
  /** Waits for a restore that any client started. Resolves or rejects like its `restore.run`. */
  'restores.wait': {
    summary: 'wait for a restore that any client started',
    danger: 'reads',
    params: z.object({ id: z.string() }),
    result: restoreResultSchema,
  },
  /** Stops a restore. Files that it has already restored remain. */
  'restores.stop': {
    summary: 'stop a restore',
    danger: 'changes',
    params: z.object({ id: z.string() }),
    result: z.object({}),
  },
  /** Opens a stream of rows with what `restore.run` would do. Writes nothing. */
  'restore.plan': {
    summary: 'return what a restore would do, as a stream',
    danger: 'reads',

    params: restoreParams,
    result: z.object({ to: z.string(), stream: z.string() }),
  },
} as const;
