/** Declares the control methods on the changes of a job that are held for review. */

import { z } from 'zod';

const heldChangeSchema = z.object({
  /** Path relative to the job's folder; a folder's path ends in `/`. */
  path: z.string(),
  change: z.enum(['delete', 'overwrite', 'rename']),
  why: z.string().optional(),
});

const decidedSchema = z.object({
  deletes: z.number().int(),
  overwrites: z.number().int(),
  renames: z.number().int(),
});

export const REVIEW_METHODS = {
  /**
   * Lists the changes that are held for review, in the order of their paths; with `after`, only those with a greater
   * path.
   */
  'jobs.review': {
    summary: 'list the changes of a job that are held for review',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      after: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    result: z.object({
      changes: z.array(heldChangeSchema),
      total: z.number().int(),
      next: z.string().optional(),
      /** Digest of all held changes, for `jobs.approve`. */
      digest: z.string(),
      /**
       * The anomaly that suggests an attack which encrypts files; absent if there is none. Before `since`, in
       * milliseconds since 1970, the folder was intact.
       */
      signs: z.object({ since: z.number(), reason: z.string() }).optional(),
      /** How many deletes are held, and why; absent if no delete is held. */
      reason: z.string().optional(),
      /**
       * Deletes that were mirrored before others were held; present while deletes are held. `before` is a time before
       * all of them, in milliseconds since 1970.
       */
      passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
    }),
  },
  /** Carries out all held changes. Rejects if they do not have the given digest. Later changes are evaluated again. */
  'jobs.approve': {
    summary: 'carry out the held changes of a job',
    danger: 'destroys',

    params: z.object({ name: z.string(), digest: z.string().optional() }),
    result: decidedSchema,
  },
  /**
   * Leaves the bucket unchanged for all held changes. Deleted files then no longer belong to the job, and overwritten
   * files differ from the bucket until they change.
   */
  'jobs.reject': {
    summary: 'discard the held changes of a job; the bucket remains unchanged',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: decidedSchema,
  },
} as const;
