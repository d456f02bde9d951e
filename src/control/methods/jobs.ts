/** Declares the control methods on jobs, and on targets: the remote services that jobs mirror to. */

import { z } from 'zod';

import {
  acknowledgementSchema,
  jobSpecSchema,
  jobStatusSchema,
  keepReportSchema,
} from '../shapes.ts';

const heldChangeSchema = z.object({
  /** Path relative to the job's folder; a folder's path ends in `/`. */
  path: z.string(),
  change: z.enum(['delete', 'overwrite', 'rename']),
  why: z.string().optional(),
});

const queueReason = z.enum(['error', 'conflict', 'held', 'drifted', 'busy', 'waiting', 'retained']);

const decidedSchema = z.object({
  deletes: z.number().int(),
  overwrites: z.number().int(),
  renames: z.number().int(),
});

const diffSchema = z.array(
  z.object({ is: z.enum(['added', 'removed', 'same']), text: z.string() }),
);

const problemsSchema = z.array(
  z.object({
    /** Name of the option, such as `lock.days`; absent if the problem does not concern an option of this entry. */
    option: z.string().optional(),
    line: z.number().int().optional(),
    message: z.string(),
  }),
);

const targetSchema = z.object({
  name: z.string().optional(),
  endpoint: z.string(),
  region: z.string().optional(),
  dialect: z.enum(['svc', 'amz']).optional(),
  /** Absolute path of a PEM file with the certificates to trust instead of the system's. */
  caFile: z.string().optional(),
});

export const JOB_METHODS = {
  'jobs.add': {
    params: jobSpecSchema,
    /** `existing` is true if a job for this folder already exists. That job is returned, and its entry is unchanged. */
    result: z.object({ job: jobStatusSchema, existing: z.boolean(), notes: z.array(z.string()) }),
  },
  /**
   * Returns what `jobs.add` would do, and changes nothing. Rejects like `jobs.add` if the folder cannot be mirrored.
   */
  'jobs.plan': {
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
  'targets.add': {
    params: targetSchema.extend({ accessKeyId: z.string(), secretAccessKey: z.string() }),
    result: z.object({
      name: z.string(),
      existing: z.boolean(),
      /**
       * Present if the service was unreachable, so that the key could not be checked: the reason, and what happens with
       * the key.
       */
      warning: z.string().optional(),
    }),
  },
  /**
   * Returns what `targets.add` would do with any key, and changes nothing. Rejects like `targets.add` if the target is
   * invalid.
   */
  'targets.plan': {
    params: targetSchema,
    result: z.object({
      name: z.string(),
      /**
       * Whether a target for this endpoint already exists. In that case, its key is replaced, and its dialect if one is
       * given.
       */
      existing: z.boolean(),
      /** Absolute path of the file that the key is written to. Only the daemon's user may read it. */
      credentialsFile: z.string(),
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
  /** Returns the configured targets. `jobs` has the names of the jobs that mirror to the target. */
  'targets.list': {
    params: z.object({}),
    result: z.object({
      targets: z.array(
        z.object({
          name: z.string(),
          endpoint: z.string(),
          region: z.string(),
          /** The configured dialect, or the one detected at the first contact; absent before that. */
          dialect: z.enum(['svc', 'amz']).optional(),
          jobs: z.array(z.string()),
        }),
      ),
    }),
  },
  /**
   * Removes a target that no job uses. `keyFile` is its credentials file, which was deleted, too; absent if that file
   * is outside Holdfast's credentials folder or another target uses it.
   */
  'targets.remove': {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({ keyFile: z.string().optional() }),
  },
  /** Returns the identity of the target's access key, as far as the service reports it. */
  'targets.whoami': {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({
      name: z.string(),
      endpoint: z.string(),
      region: z.string(),
      dialect: z.enum(['svc', 'amz']).optional(),
      accessKeyId: z.string(),
      /** ID of the owner of objects that are created with this key; absent if the service does not report it. */
      owner: z.string().optional(),
      /** Present if `owner`, or the access key ID if `owner` is absent, has the form `project:user@customer`. */
      project: z.string().optional(),
      user: z.string().optional(),
      customer: z.string().optional(),
    }),
  },
  /**
   * Removes a job and releases its ownership marker. `notes` has remarks for the user, such as why the marker could not
   * be released; absent if there are none.
   */
  'jobs.remove': {
    params: z.object({ name: z.string() }),
    result: z.object({ notes: z.array(z.string()).optional() }),
  },
  'jobs.pause': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  'jobs.resume': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /** Starts a full sync round. Resolves when it has started. */
  'jobs.run': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /**
   * Lists pending work and why it is pending: for one reason, or for all in the order error, conflict, held, drifted,
   * busy, waiting, retained. `until` is the earliest time of the next attempt, in milliseconds since 1970.
   */
  'jobs.queue': {
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
  /**
   * Lists the changes that are held for review, in the order of their paths; with `after`, only those with a greater
   * path.
   */
  'jobs.review': {
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
    params: z.object({ name: z.string(), digest: z.string().optional() }),
    result: decidedSchema,
  },
  /**
   * Leaves the bucket unchanged for all held changes. Deleted files then no longer belong to the job, and overwritten
   * files differ from the bucket until they change.
   */
  'jobs.reject': { params: z.object({ name: z.string() }), result: decidedSchema },
  /** Removes the versions that the job's `keep` option does not retain. A dry run only counts them. */
  'jobs.keep': {
    params: z.object({ name: z.string(), dryRun: z.boolean() }),
    result: keepReportSchema,
  },
  /**
   * Acknowledges the problem of a path. The problem does not count as a risk until `until`, which is at most 365 days
   * ahead. Without `acknowledgement`, withdraws an earlier one.
   */
  'jobs.acknowledge': {
    params: z.object({
      name: z.string(),
      path: z.string(),
      acknowledgement: acknowledgementSchema.optional(),
    }),
    result: jobStatusSchema,
  },
  /** Accepts the folder that is now at the job's path as the one to mirror. */
  'jobs.acceptRoot': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /**
   * Resolves when every change before the call is durable or reported as a problem, or when the job cannot continue.
   */
  'jobs.settled': {
    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, seconds: z.number() }),
  },
} as const;
