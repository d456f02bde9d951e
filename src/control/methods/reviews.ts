/** Defines the control methods for changes that a job holds for review. */

import { z } from 'zod';

const heldChangeSchema = z.object({
  /** The path relative to the job's folder. The path of a folder ends in `/`. */
  path: z.string(),
  change: z.enum(['delete', 'overwrite', 'rename']),
  why: z.string().optional(),
  /** The size of the object that the change removes or replaces, or of the renamed file. */
  bytes: z.number().int(),
});

/** A group of held changes: those below a folder, or only those directly in it. */
const heldFolder = {
  /** The path of the folder relative to the job's folder: empty, or with a trailing `/`. */
  folder: z.string(),
  /** Whether the changes in subfolders are excluded, because they are in other groups. */
  isDirect: z.boolean(),
};

const decidedSchema = z.object({
  deletes: z.number().int(),
  overwrites: z.number().int(),
  renames: z.number().int(),
});

export const REVIEW_METHODS = {
  /**
   * Lists the changes that are held for review, in path order. With `after`, lists only the changes with a greater
   * path. With `within`, lists only the changes of a group; `total`, `digest` and `groups` are always those of all held
   * changes.
   */
  'jobs.review': {
    summary: 'list the changes of a job that are held for review',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      after: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
      within: z.object(heldFolder).optional(),
      withGroups: z.boolean().optional(),
    }),
    result: z.object({
      changes: z.array(heldChangeSchema),
      total: z.number().int(),
      next: z.string().optional(),
      /** The digest of all held changes. `jobs.approve` requires it. */
      digest: z.string(),
      /**
       * All held changes by the folders below their common folder, if `withGroups` was true. With more than 1,000 such
       * folders, all changes are in one group.
       */
      groups: z
        .array(z.object({ ...heldFolder, ...decidedSchema.shape, bytes: z.number().int() }))
        .optional(),
      /**
       * The anomaly that suggests an attack that encrypts files. Absent if the guard has detected none. `since` is when
       * the anomaly started, in milliseconds since 1970. The folder was intact before that time.
       */
      signs: z.object({ since: z.number(), reason: z.string() }).optional(),
      /** Why deletes are held, and how many. Absent if no delete is held. */
      reason: z.string().optional(),
      /**
       * The deletes that were mirrored before the guard started to hold deletes. Present while deletes are held.
       * `before` is a time before all of these deletes, in milliseconds since 1970.
       */
      passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
    }),
  },
  /**
   * Applies all held changes. Rejects if the held changes do not match the digest. The guard evaluates later changes
   * separately.
   */
  'jobs.approve': {
    summary: 'carry out the held changes of a job',
    danger: 'destroys',

    params: z.object({ name: z.string(), digest: z.string().optional() }),
    result: decidedSchema,
  },
  /**
   * Rejects all held changes and leaves the bucket unchanged. Deleted files then no longer belong to the job.
   * Overwritten files differ from the bucket until they change again.
   */
  'jobs.reject': {
    summary: 'discard the held changes of a job; the bucket remains unchanged',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: decidedSchema,
  },
} as const;
