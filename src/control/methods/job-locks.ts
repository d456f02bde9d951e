/** Declares the control methods on the locks that jobs set and renew. */

import { z } from 'zod';

import { jobLocksSchema } from '../shapes.ts';
import { defaultRetentionSchema } from './locks.ts';
import { subjectSchema } from './restore.ts';

/** Maximum number of paths in a request. */
const MAX_PATHS = 1000;

const mode = z.enum(['GOVERNANCE', 'COMPLIANCE']);

const pathsSchema = z.object({
  job: z.string(),
  /** Absolute paths in the job's folder. A folder stands for everything below it. */
  paths: z.array(z.string().min(1)).min(1).max(MAX_PATHS),
});

const daySchema = z.object({ day: z.number(), versions: z.number().int(), bytes: z.number() });

/** The rule that excludes a path of a job. */
const excludedSchema = z.object({
  /** The file or folder that the rule matches: the path itself or a folder above it. */
  path: z.string(),
  pattern: z.string().optional(),
  /** Absolute path of the file in the folder that contains the rule; absent for a rule of the job. */
  file: z.string().optional(),
  /** Line of the pattern in the file, from 1. */
  line: z.number().int().optional(),
  /** The rule in words for the user, such as `excluded by the pattern "*.tmp" of the job`. */
  reason: z.string(),
  /** How the user can include the path; absent if that is not possible. */
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
       * Number and size of the versions whose lock ends on each day. `day` is midnight UTC, in milliseconds since 1970.
       * Released versions are not counted.
       */
      days: z.array(daySchema),
      /** The first 100 versions that are to be removed when their lock ends. */
      retained: z.array(retainedSchema),
    }),
  },
  /**
   * Summarizes the locks of all jobs and of the embedded store: locked versions by mode, the first 366 days on which
   * locks end, and the first 100 versions that are to be removed when their lock ends. `buckets` lists the buckets of
   * the embedded store with Object Lock. Their locks are counted in the background, as in `folders.sizes`. `modes` and
   * `days` contain all locks of the counted buckets. Of any other bucket, they contain only the locks that jobs set, by
   * the mode that the job uses now. `unopened` names the jobs that are not open and therefore not included.
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
          /** Number of versions, locked or not. */
          versions: z.number().int(),
          defaultRetention: defaultRetentionSchema.optional(),
          isCounting: z.boolean(),
          /** The last complete count. */
          counted: z
            .object({
              /** Start of the count, in milliseconds since 1970. */
              at: z.number(),
              /** Whether the bucket has changed since. */
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
  /** Explains which lock a path has, and why. Reads the version from the service, too. */
  'jobs.why': {
    summary: 'explain the lock of a path',
    danger: 'reads',

    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      versionId: z.string().optional(),
      /** Whether the version is still the current one. */
      isHead: z.boolean(),
      /**
       * The lock that the job requests for the path, and the pattern that determines it; absent if it requests none.
       */
      terms: z.object({ mode, days: z.number().int(), refreshDays: z.number().int() }).optional(),
      pattern: z.string().optional(),
      /** The retention that the service reports now. */
      retention: z.object({ mode, retainUntil: z.number() }).optional(),
      legalHold: z.boolean(),
      bucketDefault: z
        .object({ mode, days: z.number().optional(), years: z.number().optional() })
        .optional(),
      /** When the lock is next checked, in milliseconds since 1970; absent if the job does not renew it. */
      renewedAt: z.number().optional(),
      released: z.boolean(),
      problem: z.string().optional(),
      /** The rule that excludes the path now, so that the job uploads no new version; absent if none does. */
      excluded: excludedSchema.optional(),
      /** A sentence for the user about the event that ends the lock. */
      ends: z.string(),
    }),
  },
  /**
   * Explains why a job does not back up a path: the rule that excludes it, or its problem. Both are absent if the job
   * backs it up, or if the file does not exist.
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
