/** Defines the control methods that restore files from the bucket. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';
import { atTarget } from './target.ts';

/** Selects a job, or a path in a job's folder. Without any of these fields, selects the only job. */
export const subjectSchema = z.object({
  /** The name of a job, or JOB/PATH. */
  job: z.string().min(1).optional(),
  /** An absolute path. If no job has the given name, selects this path in the job whose folder contains it. */
  path: z.string().min(1).optional(),
  /** An object or folder in a bucket, at a target or in the embedded store. */
  object: z.object({ bucket: z.string().min(1), key: z.string(), ...atTarget }).optional(),
});

/** How many versions to go back from the current version of a file. Delete markers count. */
export const versionsBack = z.number().int().min(0).optional();

export type Subject = Readonly<z.infer<typeof subjectSchema>>;

/** The maximum number of paths in a restore. It is more than a user selects one by one. */
export const MAX_PATHS = 1_000;

const restoreParams = subjectSchema.extend({
  /**
   * Paths below the selected folder, such as `letters/ann`. Only these paths are restored, to the same relative paths
   * in the target folder. Absent for the whole folder.
   */
  paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS).optional(),
  /** The absolute path of the target folder. If absent, files are restored to their original location. */
  to: z.string().optional(),
  /** The time to restore, in milliseconds since 1970 by the service's clock. Absent for the current versions. */
  at: z.number().optional(),
  versionsBack,
  /** Whether to set aside local files in the target folder that are not part of the restore. */
  exact: z.boolean().optional(),
});

/**
 * A row of `restore.plan`: what the restore would do with one path. If a folder would be set aside, its path ends in
 * `/`.
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
  /** The path relative to the job's folder. Absent for the whole folder. */
  path: z.string().optional(),
  /** The restored paths below that folder. Absent if the whole folder is restored. */
  paths: z.array(z.string()).optional(),
  at: z.number().optional(),
  isUndo: z.literal(true).optional(),
  /** The absolute path of the target folder. Absent until it is known. */
  to: z.string().optional(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  files: z.number().int(),
  bytes: z.number(),
  totalFiles: z.number().int().optional(),
  totalBytes: z.number().optional(),
  /** The number of problems. Present if `state` is `done`. */
  problemCount: z.number().int().optional(),
  failure: z.string().optional(),
});

export const RESTORE_METHODS = {
  'restore.run': {
    summary: 'restore files; replaced files are set aside',
    danger: 'changes',

    /**
     * `id` is chosen by the caller and identifies the `restore.progress` events. With `stays`, the restore continues
     * after the caller disconnects.
     */
    params: restoreParams.extend({ id: z.string(), stays: z.boolean().optional() }),
    result: restoreResultSchema,
  },
  /** Returns the running restores and the last finished restores, newest first. */
  'restores.list': {
    summary: 'list the restores that are running or have ended',
    danger: 'reads',
    params: z.object({}),
    result: z.object({ runs: z.array(runSchema) }),
  },
  /**
   * Waits for a restore that any client started. Resolves or rejects like the `restore.run` request of that restore.
   */
  'restores.wait': {
    summary: 'wait for a restore that any client started',
    danger: 'reads',
    params: z.object({ id: z.string() }),
    result: restoreResultSchema,
  },
  /** Stops a restore. The files that it has already restored are kept. */
  'restores.stop': {
    summary: 'stop a restore',
    danger: 'changes',
    params: z.object({ id: z.string() }),
    result: z.object({}),
  },
  /** Opens a stream of rows that say what `restore.run` would do. Writes nothing. */
  'restore.plan': {
    summary: 'return what a restore would do, as a stream',
    danger: 'reads',

    params: restoreParams,
    result: z.object({ to: z.string(), stream: z.string() }),
  },
} as const;
