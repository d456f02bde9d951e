/** Defines the control methods for the locks that jobs set and renew. */

import { z } from 'zod';

import { jobLocksSchema } from '../shapes.ts';
import { defaultRetentionSchema } from './locks.ts';
import { subjectSchema } from './restore.ts';

/** The maximum number of paths in a request. */
const MAX_PATHS = 1000;

const mode = z.enum(['GOVERNANCE', 'COMPLIANCE']);

const pathsSchema = z.object({
  job: z.string(),
  /** Absolute paths in the job's folder. The path of a folder includes everything below it. */
  paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS),
});

const daySchema = z.object({ day: z.number(), versions: z.number().int(), bytes: z.number() });

/** The rule that excludes a path from a job. */
const excludedSchema = z.object({
  /** The file or folder that the rule matches: the path itself or a parent folder. */
  path: z.string(),
  pattern: z.string().optional(),
  /** The absolute path of the file in the folder that contains the rule. Absent if the rule is an option of the job. */
  file: z.string().optional(),
  /** The line number of the pattern in that file, starting at 1. */
  line: z.number().int().optional(),
  /** The rule as text for the user, such as `excluded by the pattern "*.tmp" of the job`. */
  reason: z.string(),
  /** How the user can include the path. Absent if the path cannot be included. */
  hint: z.string().optional(),
});

const retainedSchema = z.object({
  key: z.string(),
  versionId: z.string().optional(),
  until: z.number(),
  what: z.string(),
});

const amountSchema = z.object({ versions: z.number().int(), bytes: z.number() });
const modeAmountSchema = amountSchema.extend({ mode });

export const JOB_LOCK_METHODS = {
  'jobs.locks': {
    summary: 'return the locks of a job, and when they end',
    danger: 'reads',

    params: z.object({ name: z.string() }),
    result: z.object({
      locks: jobLocksSchema.optional(),
      /**
       * The number and size of the versions whose lock ends on each day. `day` is midnight UTC in milliseconds since
       * 1970. Versions are not counted if the user ended the renewal of their locks.
       */
      days: z.array(daySchema),
      /** The first 100 versions that will be removed when their lock ends. */
      retained: z.array(retainedSchema),
    }),
  },
  /**
   * Summarizes the locks of all jobs and of the embedded store: locked versions by mode, the first 366 days on which
   * locks end, and the first 100 versions that will be removed when their lock ends. `buckets` lists the buckets of the
   * embedded store that have Object Lock. Their locks are counted in the background, as in `folders.sizes`. For a
   * counted bucket, `modes` and `days` include all locks. For any other bucket, they include only the locks that jobs
   * set, counted under the mode that the job uses now. `unopened` lists the jobs that are not included because they are
   * not open.
   */
  'locks.summary': {
    summary: 'summarize the locks of all jobs and of the embedded store',
    danger: 'reads',

    params: z.object({}),
    result: z.object({
      modes: z.array(modeAmountSchema),
      jobs: z.array(z.object({ name: z.string(), mode: mode.optional(), locks: jobLocksSchema })),
      days: z.array(daySchema),
      retained: z.array(retainedSchema.extend({ job: z.string() })),
      renewalsDue: z.number().int(),
      retainedCount: z.number().int(),
      unopened: z.array(z.string()),
      buckets: z.array(
        z.object({
          bucket: z.string(),
          /** The number of versions, locked or not. */
          versions: z.number().int(),
          defaultRetention: defaultRetentionSchema.optional(),
          isCounting: z.boolean(),
          /** The lock counts of the bucket, from the last complete count. */
          counted: z
            .object({
              /** When the count started, in milliseconds since 1970. */
              at: z.number(),
              /** Whether the bucket has changed since the count. */
              hasChanged: z.boolean(),
              modes: z.array(modeAmountSchema),
              /** Versions with a legal hold, with or without a retention. */
              held: amountSchema,
            })
            .optional(),
        }),
      ),
    }),
  },
  /** Explains which lock a path has, and why. The daemon requests the current lock from the service. */
  'jobs.why': {
    summary: 'explain the lock of a path',
    danger: 'reads',

    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      versionId: z.string().optional(),
      /** Whether this version is still the current version. */
      isHead: z.boolean(),
      /**
       * The lock that the job requests for the path, and the pattern that selects it. Absent if the job requests no
       * lock.
       */
      terms: z.object({ mode, days: z.number().int(), refreshDays: z.number().int() }).optional(),
      pattern: z.string().optional(),
      /** The current retention that the service reports. */
      retention: z.object({ mode, retainUntil: z.number() }).optional(),
      legalHold: z.boolean(),
      bucketDefault: z
        .object({ mode, days: z.number().optional(), years: z.number().optional() })
        .optional(),
      /** When the job next checks the lock, in milliseconds since 1970. Absent if the job does not renew the lock. */
      renewedAt: z.number().optional(),
      released: z.boolean(),
      problem: z.string().optional(),
      /**
       * The rule that currently excludes the path, so that the job uploads no new versions. Absent if the path is not
       * excluded.
       */
      excluded: excludedSchema.optional(),
      /** A sentence for the user that says what ends the lock. */
      ends: z.string(),
    }),
  },
  /**
   * Explains why a job does not back up a path. Returns the rule that excludes the path, or the problem of the path.
   * Both are absent if the job backs up the path, or if the file does not exist.
   */
  'jobs.explain': {
    summary: 'explain why a job does not back up a path',
    danger: 'reads',

    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      excluded: excludedSchema.optional(),
      problem: z.string().optional(),
    }),
  },
  /**
   * Stops renewing the locks of the current versions at and below the paths. Later versions are locked and renewed
   * again.
   */
  'jobs.release': {
    summary: 'stop renewing the locks of paths',
    danger: 'destroys',

    params: pathsSchema,
    result: z.object({
      versions: z.number().int(),
      firstEnd: z.number().optional(),
      lastEnd: z.number().optional(),
    }),
  },
  /** Starts a full sync round that deletes the objects of excluded files at and below the paths. */
  'jobs.forget': {
    summary: 'delete the objects of excluded files',
    danger: 'destroys',
    params: pathsSchema,
    result: z.object({ objects: z.number().int() }),
  },
} as const;
