/** Declares the control methods on jobs. */

import { z } from 'zod';

import {
  acknowledgementSchema,
  jobSpecSchema,
  jobStatusSchema,
  keepReportSchema,
} from '../shapes.ts';

const queueReason = z.enum(['error', 'conflict', 'held', 'drifted', 'busy', 'waiting', 'retained']);

const keepRuleSchema = z.object({
  all: z.number(),
  hourly: z.number().optional(),
  daily: z.number().optional(),
  weekly: z.number().optional(),
  monthly: z.number().optional(),
});

export const diffSchema = z.array(
  z.object({ is: z.enum(['added', 'removed', 'same']), text: z.string() }),
);

export const problemsSchema = z.array(
  z.object({
    /** Name of the option, such as `lock.days`; absent if the problem does not concern an option of this entry. */
    option: z.string().optional(),
    line: z.number().int().optional(),
    message: z.string(),
  }),
);

export const JOB_METHODS = {
  'jobs.add': {
    summary: 'add a job and start it',
    danger: 'changes',

    params: jobSpecSchema,
    /** `existing` is true if a job for this folder already exists. That job is returned, and its entry is unchanged. */
    result: z.object({ job: jobStatusSchema, existing: z.boolean(), notes: z.array(z.string()) }),
  },
  /**
   * Returns what `jobs.add` would do, and changes nothing. Rejects like `jobs.add` if the folder cannot be mirrored.
   */
  'jobs.plan': {
    summary: 'return what `jobs.add` would do',
    danger: 'reads',

    params: jobSpecSchema.omit({ takeOver: true }),
    result: z.object({
      name: z.string(),
      bucket: z.string(),
      /** Whether the bucket exists, even if the credentials do not allow access to it. */
      bucketExists: z.boolean(),
      /**
       * Whether a job for this folder already exists, under the returned name. In that case, nothing would be added.
       */
      existing: z.boolean(),
      notes: z.array(z.string()),
      /** Changed lines of `config.yaml`, as in `jobs.edit`. */
      diff: diffSchema,
      problems: problemsSchema,
    }),
  },
  /**
   * Returns the job's entry in `config.yaml` as written, the defaults of the options that it omits, and the names of
   * all options.
   */
  'jobs.get': {
    summary: 'return the entry of a job in config.yaml',
    danger: 'reads',

    params: z.object({ name: z.string() }),
    result: z.object({
      name: z.string(),
      settings: z.record(z.string(), z.unknown()),
      defaults: z.record(z.string(), z.unknown()),
      options: z.array(z.string()),
    }),
  },
  /**
   * Changes options of a job's entry in `config.yaml` and applies them. A null removes the option, so that its default
   * applies. All other lines and comments are kept. Nothing is written if there are `problems`, or in a dry run, which
   * only returns what would change.
   */
  'jobs.edit': {
    summary: 'change options of a job in config.yaml, and apply them',
    danger: 'destroys',

    params: z.object({
      name: z.string(),
      changes: z.record(z.string(), z.unknown()),
      dryRun: z.boolean(),
    }),
    result: z.object({
      /** Lines of the file that differ, with two lines of context. */
      diff: diffSchema,
      problems: problemsSchema,
      /** Status of the job after the change; absent in a dry run, or if there are problems. */
      job: jobStatusSchema.optional(),
    }),
  },
  /**
   * Removes a job and releases its ownership marker. `notes` has remarks for the user, such as why the marker could not
   * be released; absent if there are none.
   */
  'jobs.remove': {
    summary: 'remove a job; its bucket and all versions remain',
    danger: 'destroys',

    params: z.object({ name: z.string() }),
    result: z.object({ notes: z.array(z.string()).optional() }),
  },
  'jobs.pause': {
    summary: 'stop the work of a job until it is resumed',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  'jobs.resume': {
    summary: 'resume a paused job',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  /** Starts a full sync round. Resolves when it has started. */
  'jobs.run': {
    summary: 'start a full sync round of a job',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  /**
   * Lists pending work and why it is pending: for one reason, or for all in the order error, conflict, held, drifted,
   * busy, waiting, retained. `until` is the earliest time of the next attempt, in milliseconds since 1970.
   */
  'jobs.queue': {
    summary: 'list the pending work of a job, with reasons',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      reason: queueReason.optional(),
      /** `next` of the previous page; absent for the first page. */
      after: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    result: z.object({
      rows: z.array(
        z.object({
          path: z.string(),
          reason: queueReason,
          detail: z.string(),
          until: z.number().optional(),
        }),
      ),
      counts: z.object({
        error: z.number().int(),
        conflict: z.number().int(),
        held: z.number().int(),
        drifted: z.number().int(),
        busy: z.number().int(),
        waiting: z.number().int(),
        retained: z.number().int(),
      }),
      next: z.string().optional(),
    }),
  },
  /**
   * Lists finished sync rounds, newest first; with `before`, only those with a lower number. `event`: single changed
   * paths, where the rounds of one minute share a row. `full`: the whole folder. `listing`: the whole folder and a
   * listing of the bucket.
   */
  'jobs.history': {
    summary: 'list the finished sync rounds of a job, newest first',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      limit: z.number().int().min(1).max(1000),
      before: z.number().int().optional(),
    }),
    result: z.object({
      rounds: z.array(
        z.object({
          number: z.number().int(),
          kind: z.enum(['event', 'full', 'listing']),
          rounds: z.number().int(),
          startedAt: z.number(),
          endedAt: z.number(),
          /** Number of planned actions. The following fields count what was done. */
          actions: z.number().int(),
          versions: z.number().int(),
          bytes: z.number(),
          deletes: z.number().int(),
        }),
      ),
    }),
  },
  /** Removes the versions that the job's `keep` option does not retain. A dry run only counts them. */
  'jobs.keep': {
    summary: 'remove the versions that a job does not retain',
    danger: 'destroys',

    params: z.object({ name: z.string(), dryRun: z.boolean() }),
    result: keepReportSchema,
  },
  /**
   * Returns what each of the `rules` would remove of the versions in the bucket, apart from locked versions. The periods of
   * a rule are in milliseconds. Changes nothing.
   */
  'jobs.keep.preview': {
    summary: 'return what rules for versions would remove',
    danger: 'reads',

    params: z.object({ name: z.string(), rules: z.array(keepRuleSchema).max(20) }),
    result: z.object({
      rules: z.array(z.object({ versions: z.number().int(), bytes: z.number() })),
      /** All versions. */
      versions: z.number().int(),
      bytes: z.number(),
      /** When the oldest version was stored; absent if there is none. */
      oldestAt: z.number().optional(),
    }),
  },
  /**
   * Acknowledges the problem of a path. The problem does not count as a risk until `until`, which is at most 365 days
   * ahead. Without `acknowledgement`, withdraws an earlier one.
   */
  'jobs.acknowledge': {
    summary: 'acknowledge the problem of a path, or withdraw that',
    danger: 'changes',

    params: z.object({
      name: z.string(),
      path: z.string(),
      acknowledgement: acknowledgementSchema.optional(),
    }),
    result: jobStatusSchema,
  },
  /** Accepts the folder that is now at the job's path as the one to mirror. */
  'jobs.acceptRoot': {
    summary: 'mirror the folder that is at the path of a job now',
    danger: 'destroys',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  /**
   * Resolves when every change before the call is durable or reported as a problem, or when the job cannot continue.
   */
  'jobs.settled': {
    summary: 'wait until all earlier changes are backed up or reported as problems',
    danger: 'reads',

    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, seconds: z.number() }),
  },
} as const;
