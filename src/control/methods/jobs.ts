/** Defines the control methods for jobs. */

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
    /** The name of the option, such as `lock.days`. Absent if the problem does not concern an option of this job. */
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
    /**
     * `existing` is true if a job for this folder already exists. In that case, the result is the existing job, which
     * is not changed.
     */
    result: z.object({ job: jobStatusSchema, existing: z.boolean(), notes: z.array(z.string()) }),
  },
  /**
   * Returns what `jobs.add` would do without changing anything. Rejects like `jobs.add` if the folder cannot be backed
   * up.
   */
  'jobs.plan': {
    summary: 'return what `jobs.add` would do',
    danger: 'reads',

    params: jobSpecSchema.omit({ takeOver: true }),
    result: z.object({
      name: z.string(),
      bucket: z.string(),
      /** Whether the bucket exists, even if the credentials have no access to it. */
      bucketExists: z.boolean(),
      /**
       * Whether a job for this folder already exists. The result then contains its name, and `jobs.add` would add
       * nothing.
       */
      existing: z.boolean(),
      notes: z.array(z.string()),
      /** The lines of `config.yaml` that would change, as in `jobs.edit`. */
      diff: diffSchema,
      problems: problemsSchema,
    }),
  },
  /**
   * Returns the job's entry in `config.yaml` as written, the defaults of omitted options, and the names of all options.
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
   * Changes options of a job in `config.yaml` and applies them. A null value removes the option, so that its default
   * applies. All other lines and comments are preserved. If there are `problems`, nothing is written. A dry run returns
   * the changes and writes nothing.
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
      /** The changed lines of the file, with two lines of context. */
      diff: diffSchema,
      problems: problemsSchema,
      /** The status of the job after the change. Absent in a dry run, or if there are problems. */
      job: jobStatusSchema.optional(),
    }),
  },
  /**
   * Removes a job and releases its ownership marker. `notes` contains remarks for the user, such as why the marker
   * could not be released. Without remarks, it is absent.
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
  /** Starts a full sync round. Resolves when the round has started. */
  'jobs.run': {
    summary: 'start a full sync round of a job',
    danger: 'changes',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  /**
   * Lists pending changes with the reason why they are pending, for one reason or for all reasons. The changes are
   * sorted by reason: error, conflict, held, drifted, busy, waiting, retained. `until` is the earliest time of the next
   * attempt, in milliseconds since 1970.
   */
  'jobs.queue': {
    summary: 'list the pending work of a job, with reasons',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      reason: queueReason.optional(),
      /** The value of `next` from the previous page. Absent for the first page. */
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
   * Lists finished sync rounds, newest first. With `before`, lists only sync rounds with a lower number. `event`: a
   * sync round for single changed paths. Several of these within one minute share a row. `full`: a sync round that
   * scans the whole folder. `listing`: a sync round that scans the whole folder and lists the bucket.
   */
  'jobs.history': {
    summary: 'list the finished sync rounds of a job, newest first',
    danger: 'reads',

    params: z.object({
      name: z.string(),
      limit: z.number().int().min(1).max(1000),
      before: z.number().int().optional(),
      /** Omits sync rounds without uploads and deletes. */
      onlyChanges: z.literal(true).optional(),
    }),
    result: z.object({
      rounds: z.array(
        z.object({
          number: z.number().int(),
          kind: z.enum(['event', 'full', 'listing']),
          rounds: z.number().int(),
          startedAt: z.number(),
          endedAt: z.number(),
          /**
           * The number of actions that the sync round planned. The following fields count the actions that it
           * completed.
           */
          actions: z.number().int(),
          versions: z.number().int(),
          bytes: z.number(),
          deletes: z.number().int(),
        }),
      ),
    }),
  },
  /** Removes older versions that the `keep` rule of the job does not retain. A dry run only counts these versions. */
  'jobs.keep': {
    summary: 'remove the versions that a job does not retain',
    danger: 'destroys',

    params: z.object({ name: z.string(), dryRun: z.boolean() }),
    result: keepReportSchema,
  },
  /**
   * Returns how many versions in the bucket each of the `rules` would remove, apart from locked versions. The periods
   * in a rule are in milliseconds. Changes nothing.
   */
  'jobs.keep.preview': {
    summary: 'return what rules for versions would remove',
    danger: 'reads',

    params: z.object({ name: z.string(), rules: z.array(keepRuleSchema).max(20) }),
    result: z.object({
      rules: z.array(z.object({ versions: z.number().int(), bytes: z.number() })),
      /** The number and size of all versions. */
      versions: z.number().int(),
      bytes: z.number(),
      /** When the oldest version was stored. Absent if the bucket contains no versions. */
      oldestAt: z.number().optional(),
    }),
  },
  /**
   * Acknowledges the problem of a path. The problem does not count as a risk until `until`, at most 365 days from now.
   * Without `acknowledgement`, withdraws the earlier acknowledgement.
   */
  'jobs.acknowledge': {
    summary: 'acknowledge the problem of a path, or withdraw the acknowledgement',
    danger: 'changes',

    params: z.object({
      name: z.string(),
      path: z.string(),
      acknowledgement: acknowledgementSchema.optional(),
    }),
    result: jobStatusSchema,
  },
  /** Confirms that the folder that is now at the job's path is the one to back up. */
  'jobs.acceptRoot': {
    summary: 'mirror the folder that is at the path of a job now',
    danger: 'destroys',
    params: z.object({ name: z.string() }),
    result: jobStatusSchema,
  },
  /**
   * Resolves when every change made before the call is durable or reported as a problem, or when the job cannot
   * continue.
   */
  'jobs.settled': {
    summary: 'wait until all earlier changes are backed up or reported as problems',
    danger: 'reads',

    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, seconds: z.number() }),
  },
} as const;
