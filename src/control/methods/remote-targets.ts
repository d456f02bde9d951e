/** Defines the control methods for targets. A target is a remote storage service that jobs back up to. */

import { z } from 'zod';

import { diffSchema, problemsSchema } from './jobs.ts';

/** How requests are signed: with the `x-amz-` headers of S3, or with the `x-svc-` headers of Holdfast. */
const protocolSchema = z.enum(['s3', 'svc']);

const targetSchema = z.object({
  name: z.string().optional(),
  endpoint: z.string(),
  region: z.string().optional(),
  protocol: protocolSchema.optional(),
  /** The absolute path of a PEM file. Its certificates are trusted instead of the system's. */
  caFile: z.string().optional(),
});

export const TARGET_METHODS = {
  'targets.add': {
    summary: 'add a target, or replace the access key of an existing one',
    danger: 'changes',

    params: targetSchema.extend({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      /** A bucket to test the access key with. Needed if the key has no permission to list buckets. */
      bucket: z.string().min(1).optional(),
      prefix: z.string().optional(),
    }),
    result: z.object({
      name: z.string(),
      existing: z.boolean(),
      /** Whether `bucket` exists. Absent if `bucket` was not given, or if the service was unreachable. */
      bucketExists: z.boolean().optional(),
      /**
       * The reason why the access key could not be checked, and what happens with the key. Present if the service was
       * unreachable.
       */
      warning: z.string().optional(),
    }),
  },
  /**
   * Returns what `targets.add` would do, without changing anything. The access key does not affect the result. Rejects
   * like `targets.add` if the target is invalid.
   */
  'targets.plan': {
    summary: 'return what `targets.add` would do',
    danger: 'reads',

    params: targetSchema,
    result: z.object({
      name: z.string(),
      /**
       * Whether a target for this endpoint already exists. `targets.add` then replaces its key, and its protocol if one
       * is given.
       */
      existing: z.boolean(),
      /**
       * The absolute path of the file that the access key is written to. Only the daemon's Unix user may read this
       * file.
       */
      credentialsFile: z.string(),
      /** The lines of `config.yaml` that would change, as in `jobs.edit`. */
      diff: diffSchema,
      problems: problemsSchema,
    }),
  },
  /** Returns the configured targets. `jobs` lists the names of the jobs that use the target. */
  'targets.list': {
    summary: 'list the targets, and the jobs that use them',
    danger: 'reads',

    params: z.object({}),
    result: z.object({
      targets: z.array(
        z.object({
          name: z.string(),
          endpoint: z.string(),
          region: z.string(),
          /**
           * The protocol that is configured, or that was detected by the first request. Absent before the first
           * request.
           */
          protocol: protocolSchema.optional(),
          jobs: z.array(z.string()),
        }),
      ),
    }),
  },
  /**
   * Removes a target that no job uses. `keyFile` is its credentials file, which was also deleted. `keyFile` is absent
   * if the credentials file is outside Holdfast's credentials folder or if another target uses it.
   */
  'targets.remove': {
    summary: 'remove a target that no job uses, and its credentials file',
    danger: 'destroys',

    params: z.object({ name: z.string().min(1) }),
    result: z.object({ keyFile: z.string().optional() }),
  },
  /**
   * Renames a target, also in the jobs that use it. If the target is an additional target of a job, the job's name
   * changes too, such as from `photos@old` to `photos@new`. `keyFile` is the new path of the credentials file, and is
   * absent if the path does not change.
   */
  'targets.rename': {
    summary: 'rename a target, also in the jobs that use it',
    danger: 'changes',

    params: z.object({ name: z.string().min(1), newName: z.string().min(1) }),
    result: z.object({ jobs: z.array(z.string()), keyFile: z.string().optional() }),
  },
  /** Returns the identity of the target's access key, as far as the service reports it. */
  'targets.whoami': {
    summary: 'return the identity of the access key of a target',
    danger: 'reads',

    params: z.object({ name: z.string().min(1) }),
    result: z.object({
      name: z.string(),
      endpoint: z.string(),
      region: z.string(),
      protocol: protocolSchema.optional(),
      accessKeyId: z.string(),
      /** The owner ID of objects that are created with this access key. Absent if the service does not report it. */
      owner: z.string().optional(),
      /**
       * The project of the access key. Present if `owner` (or, without `owner`, the access key ID) has the form
       * `project:user@customer`.
       */
      project: z.string().optional(),
      user: z.string().optional(),
      customer: z.string().optional(),
    }),
  },
} as const;
