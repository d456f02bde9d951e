/** Declares the control methods on targets: the remote services that jobs mirror to. */

import { z } from 'zod';

import { diffSchema, problemsSchema } from './jobs.ts';

/** How requests are signed: with the `x-amz-` headers of S3, or with the `x-svc-` headers of Holdfast. */
const protocolSchema = z.enum(['s3', 'svc']);

const targetSchema = z.object({
  name: z.string().optional(),
  endpoint: z.string(),
  region: z.string().optional(),
  protocol: protocolSchema.optional(),
  /** Absolute path of a PEM file with the certificates to trust instead of the system's. */
  caFile: z.string().optional(),
});

export const TARGET_METHODS = {
  'targets.add': {
    summary: 'add a target, or replace the access key of an existing one',
    danger: 'changes',

    params: targetSchema.extend({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      /** If present, the key is tried with this bucket, since it may have no permission to list buckets. */
      bucket: z.string().min(1).optional(),
      prefix: z.string().optional(),
    }),
    result: z.object({
      name: z.string(),
      existing: z.boolean(),
      /** Whether `bucket` exists; absent without `bucket`, or if the service was unreachable. */
      bucketExists: z.boolean().optional(),
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
    summary: 'return what `targets.add` would do',
    danger: 'reads',

    params: targetSchema,
    result: z.object({
      name: z.string(),
      /**
       * Whether a target for this endpoint already exists. In that case, its key is replaced, and its protocol if one is
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
  /** Returns the configured targets. `jobs` has the names of the jobs that mirror to the target. */
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
          /** The configured protocol, or the one detected at the first contact; absent before that. */
          protocol: protocolSchema.optional(),
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
    summary: 'remove a target that no job uses, and its credentials file',
    danger: 'destroys',

    params: z.object({ name: z.string().min(1) }),
    result: z.object({ keyFile: z.string().optional() }),
  },
  /**
   * Renames a target, also in the jobs that use it. A further target of a job changes the job's name, such as from
   * `photos@old` to `photos@new`. `keyFile` is the new path of its credentials file; absent if that keeps its path.
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
      /** ID of the owner of objects that are created with this key; absent if the service does not report it. */
      owner: z.string().optional(),
      /** Present if `owner`, or the access key ID if `owner` is absent, has the form `project:user@customer`. */
      project: z.string().optional(),
      user: z.string().optional(),
      customer: z.string().optional(),
    }),
  },
} as const;
