/** Methods on jobs and the remote services that they mirror to. */

import { z } from 'zod';

import {
  acknowledgementSchema,
  jobSpecSchema,
  jobStatusSchema,
  keepReportSchema,
} from '../shapes.ts';

const heldChangeSchema = z.object({
  /** That of a folder's object ends in `/`. */
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
    /** Such as `lock.days`; absent where it is about no option of this job. */
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
  /** Absolute path of certificates that are trusted instead of the system's. */
  caFile: z.string().optional(),
});

export const JOB_METHODS = {
  'jobs.add': {
    params: jobSpecSchema,
    /** `existing`: a job for this very folder was there already and is returned unchanged. */
    result: z.object({ job: jobStatusSchema, existing: z.boolean(), notes: z.array(z.string()) }),
  },
  /** What `jobs.add` would do; nothing is changed. Rejects as that does for a folder that cannot be mirrored. */
  'jobs.plan': {
    params: jobSpecSchema.omit({ takeOver: true }),
    result: z.object({
      name: z.string(),
      bucket: z.string(),
      /** Whether the bucket is there, whoever made it. */
      bucketExists: z.boolean(),
      /** Such a job is there already, under that name: nothing would be added. */
      existing: z.boolean(),
      notes: z.array(z.string()),
      /** Of `config.yaml`, as `jobs.edit` has it. */
      diff: diffSchema,
      problems: problemsSchema,
    }),
  },
  'targets.add': {
    params: targetSchema.extend({ accessKeyId: z.string(), secretAccessKey: z.string() }),
    result: z.object({
      name: z.string(),
      existing: z.boolean(),
      /** The service does not answer now, so that the key could not be tried: why, and what follows. */
      warning: z.string().optional(),
    }),
  },
  /** What `targets.add` would do with any key; nothing is changed. Rejects as that does for what cannot be a target. */
  'targets.plan': {
    params: targetSchema,
    result: z.object({
      name: z.string(),
      /** There is one for this endpoint: it gets another key, and nothing else. */
      existing: z.boolean(),
      /** Where the key is written, for the daemon's user alone. */
      credentialsFile: z.string(),
      /** Of `config.yaml`, as `jobs.edit` has it. */
      diff: diffSchema,
      problems: problemsSchema,
    }),
  },
  /** Its entry in `config.yaml` in its own words, what holds where it says nothing, and the names of all options. */
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
   * Writes options of its entry, and applies them; null removes one, so that its default holds. All other lines stay as
   * they are, comments too. With `problems` nothing is written; nor by a dry run, which tells what would be.
   */
  'jobs.edit': {
    params: z.object({
      name: z.string(),
      changes: z.record(z.string(), z.unknown()),
      dryRun: z.boolean(),
    }),
    result: z.object({
      /** The lines of the file that differ, with two around them. */
      diff: diffSchema,
      problems: problemsSchema,
      /** As it is from now on; absent when nothing was asked to be written, or could be. */
      job: jobStatusSchema.optional(),
    }),
  },
  /** Those of the configuration; `jobs` are the names of those that mirror to it. */
  'targets.list': {
    params: z.object({}),
    result: z.object({
      targets: z.array(
        z.object({
          name: z.string(),
          endpoint: z.string(),
          region: z.string(),
          /** Configured, or found at the first contact; absent before. */
          dialect: z.enum(['svc', 'amz']).optional(),
          jobs: z.array(z.string()),
        }),
      ),
    }),
  },
  /** One that no job uses; `keyFile` was removed, too: the file that `targets.add` wrote its key to. */
  'targets.remove': {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({ keyFile: z.string().optional() }),
  },
  /** Whom a remote service takes us for, as far as it tells. */
  'targets.whoami': {
    params: z.object({ name: z.string().min(1) }),
    result: z.object({
      name: z.string(),
      endpoint: z.string(),
      region: z.string(),
      dialect: z.enum(['svc', 'amz']).optional(),
      accessKeyId: z.string(),
      /** Id of who owns what is made with this key. */
      owner: z.string().optional(),
      /** Where that id, or that of the key, is `project:user@customer`. */
      project: z.string().optional(),
      user: z.string().optional(),
      customer: z.string().optional(),
    }),
  },
  /** The claim to its place is released; `notes` say why it could not be, if so. */
  'jobs.remove': {
    params: z.object({ name: z.string() }),
    result: z.object({ notes: z.array(z.string()).optional() }),
  },
  'jobs.pause': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  'jobs.resume': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /** Starts a full round now; resolves when it has started. */
  'jobs.run': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /**
   * What is not done yet, and why: of one reason, or of all in the order error, conflict, held, busy, waiting, retained.
   * `until`: when it is tried again, or may be.
   */
  'jobs.queue': {
    params: z.object({
      name: z.string(),
      reason: queueReason.optional(),
      /** `next` of the page before. */
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
   * Rounds that are over, the newest first: those before the number `before`. `event`: of single changes, those of a minute
   * in one row. `listing`: full, with the bucket listed, too.
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
          /** What was found to be done; and what was. */
          actions: z.number().int(),
          versions: z.number().int(),
          bytes: z.number(),
          deletes: z.number().int(),
        }),
      ),
    }),
  },
  /** Deletes and overwrites that are held for the user: those with paths after `after`. */
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
      /** Of all that is held, for `jobs.approve`. */
      digest: z.string(),
      /** While there are signs of an attack that encrypts files; before `since` the tree was good. */
      signs: z.object({ since: z.number(), reason: z.string() }).optional(),
      /** How many deletes are held, and why. */
      reason: z.string().optional(),
      /** Deletes that were done before others were held; at `before` none of them was. */
      passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
    }),
  },
  /** What is held now is done in the bucket; refused when it is not what has the digest. Later changes are weighed anew. */
  'jobs.approve': {
    params: z.object({ name: z.string(), digest: z.string().optional() }),
    result: decidedSchema,
  },
  /** What is held now stays in the bucket: deleted files are no longer the job's, others differ until they change. */
  'jobs.reject': { params: z.object({ name: z.string() }), result: decidedSchema },
  /** Removes the versions beyond what the job keeps, or only counts them. */
  'jobs.keep': {
    params: z.object({ name: z.string(), dryRun: z.boolean() }),
    result: keepReportSchema,
  },
  /** Of a path with a problem, which then is no risk until a time within a year; absent: that is withdrawn. */
  'jobs.acknowledge': {
    params: z.object({
      name: z.string(),
      path: z.string(),
      acknowledgement: acknowledgementSchema.optional(),
    }),
    result: jobStatusSchema,
  },
  /** The folder that is at the job's path now is the one to mirror. */
  'jobs.acceptRoot': { params: z.object({ name: z.string() }), result: jobStatusSchema },
  /** Resolves when all that was changed before the call is durable, or is a named problem; or the job cannot go on. */
  'jobs.settled': {
    params: z.object({ name: z.string() }),
    result: z.object({ job: jobStatusSchema, seconds: z.number() }),
  },
} as const;
