/** Methods on the locks that jobs keep up. */

import { z } from 'zod';

import { jobLocksSchema } from '../shapes.ts';
import { defaultRetentionSchema } from './locks.ts';
import { subjectSchema } from './restore.ts';

/** As many as anybody types. */
const MAX_PATHS = 1000;

const mode = z.enum(['GOVERNANCE', 'COMPLIANCE']);

const pathsSchema = z.object({
  job: z.string(),
  /** Absolute, in the job's folder; what is below a folder is meant, too. */
  paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS),
});

const daySchema = z.object({ day: z.number(), versions: z.number().int(), bytes: z.number() });

const retainedSchema = z.object({
  key: z.string(),
  versionId: z.string().optional(),
  until: z.number(),
  what: z.string(),
});

export const JOB_LOCK_METHODS = {
  'jobs.locks': {
    params: z.object({ name: z.string() }),
    result: z.object({
      locks: jobLocksSchema.optional(),
      /** Versions whose lock ends on a day, which is its midnight in UTC; without those that are released. */
      days: z.array(daySchema),
      /** Versions that wait for the end of their lock, the first hundred. */
      retained: z.array(retainedSchema),
    }),
  },
  /**
   * Of all jobs: what they keep locked, by the mode that they lock in now; ends by day, the first 366; what waits for the
   * end of its lock, the first hundred. A job that is not open is left out, and named in `unopened`. `buckets`: those of the embedded store with
   * object lock, which may hold locks and legal holds that no job has set; their versions, locked or not.
   */
  'locks.summary': {
    params: z.object({}),
    result: z.object({
      modes: z.array(z.object({ mode, versions: z.number().int(), bytes: z.number() })),
      jobs: z.array(z.object({ name: z.string(), mode: mode.optional(), locks: jobLocksSchema })),
      days: z.array(daySchema),
      retained: z.array(retainedSchema.extend({ job: z.string() })),
      renewalsDue: z.number().int(),
      retainedCount: z.number().int(),
      unopened: z.array(z.string()),
      buckets: z.array(
        z.object({
          bucket: z.string(),
          versions: z.number().int(),
          defaultRetention: defaultRetentionSchema.optional(),
        }),
      ),
    }),
  },
  /** Which lock one path has and why; looks at the service, too. */
  'jobs.why': {
    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      versionId: z.string().optional(),
      /** Whether it is the current version still. */
      isHead: z.boolean(),
      /** What the job asks for, and the pattern that says so. */
      terms: z.object({ mode, days: z.number().int(), refreshDays: z.number().int() }).optional(),
      pattern: z.string().optional(),
      /** As the service tells it now. */
      retention: z.object({ mode, retainUntil: z.number() }).optional(),
      legalHold: z.boolean(),
      bucketDefault: z
        .object({ mode, days: z.number().optional(), years: z.number().optional() })
        .optional(),
      /** When it is looked at next; absent when nobody renews it. */
      renewedAt: z.number().optional(),
      released: z.boolean(),
      problem: z.string().optional(),
      /** In words: what ends it. */
      ends: z.string(),
    }),
  },
  /** Ends the renewal of these versions; later ones are locked and renewed again. */
  'jobs.release': {
    params: pathsSchema,
    result: z.object({
      versions: z.number().int(),
      firstEnd: z.number().optional(),
      lastEnd: z.number().optional(),
    }),
  },
  /** Has the objects of files that the job leaves out deleted, by a full round that begins at once. */
  'jobs.forget': { params: pathsSchema, result: z.object({ objects: z.number().int() }) },
} as const;
