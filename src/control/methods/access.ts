/** Defines the control methods for ACLs and bucket policies. */

import { z } from 'zod';

import { empty, namedUserSchema, removed } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);

/** Identifies an object if `key` is present. Otherwise identifies a bucket. */
const placeSchema = z.object({ bucket, key: key.optional(), versionId: z.string().optional() });
const aclPlaceSchema = placeSchema.extend(atTarget);

const permission = z.enum(['READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL']);

/**
 * A grant in an ACL. `grantee` is `AllUsers`, `AuthenticatedUsers`, the ID of a user (`project:user@customer`), or the
 * ID of a project (`project@customer`).
 */
const grantSchema = z.object({ grantee: z.string(), permission });

/**
 * A grant in a request. The grantee is either an ID, or the email address of a project. Exactly one of the two must be
 * present.
 */
const askedGrantSchema = z.object({
  grantee: z.string().optional(),
  emailAddress: z.string().optional(),
  permission,
});

export const aclSchema = z.object({ owner: z.string(), grants: z.array(grantSchema) });

/** The maximum number of grants in an ACL. */
const MAX_GRANTS = 100;
const askedGrants = z.array(askedGrantSchema).max(MAX_GRANTS);

/**
 * The text of a bucket policy. The limit is larger than the maximum policy size, so that the store itself reports a
 * policy that is too large.
 */
const policyText = z.string().max(1024 * 1024);

/** The kinds of public access that a bucket blocks even if a policy or an ACL grants them. */
const publicAccessBlockSchema = z.object({
  blockPublicAcls: z.boolean(),
  ignorePublicAcls: z.boolean(),
  blockPublicPolicy: z.boolean(),
  restrictPublicBuckets: z.boolean(),
});

export const ACCESS_METHODS = {
  'acl.get': {
    summary: 'return the ACL of a bucket or an object',
    danger: 'reads',
    params: aclPlaceSchema,
    result: aclSchema,
  },
  /**
   * Replaces an ACL with a canned ACL, or with `grants` and full control for the owner. Exactly one of `canned` and
   * `grants` must be present.
   */
  'acl.set': {
    summary: 'replace the ACL of a bucket or an object',
    danger: 'destroys',

    params: aclPlaceSchema.extend({
      canned: z.string().optional(),
      grants: askedGrants.optional(),
    }),
    result: aclSchema,
  },
  /**
   * Removes the grants in `revoke` from an ACL and adds the grants in `grant`. With `strict`, rejects with `NotFound`
   * and changes nothing if the ACL does not contain a grant in `revoke`.
   */
  'acl.change': {
    summary: 'add and remove grants of an ACL',
    danger: 'changes',

    params: aclPlaceSchema.extend({ grant: askedGrants, revoke: askedGrants, strict: z.boolean() }),
    result: aclSchema,
  },
  'policy.get': {
    summary: 'return the policy of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 's3 policy get <bucket>',
        summary: 'print the policy of a bucket, as it was set',
        examples: ['holdfast s3 policy get photos > policy.json'],
      },
    ],

    params: z.object({ bucket, ...atTarget }),
    result: z.object({ policy: z.string() }),
  },
  'policy.set': {
    summary: 'replace the policy of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 policy set <bucket> <file>',
        summary: 'set the policy of a bucket; FILE - is the standard input',
        examples: ['holdfast s3 policy set photos policy.json'],
        members: { file: 'policy' },
        done: 'set the policy of bucket {bucket}',
      },
    ],
    params: z.object({ bucket, policy: policyText, ...atTarget }),
    result: empty,
  },
  'policy.remove': {
    summary: 'remove the policy of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 policy remove <bucket>',
        examples: ['holdfast s3 policy remove photos'],
        destroys: 'remove the policy of bucket {bucket}',
        done: 'removed the policy of bucket {bucket}',
        absent: 'nothing to remove: bucket {bucket} has no policy',
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: removed,
  },
  'publicAccess.get': {
    summary: 'return the public access block of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 's3 public-access get <bucket>',
        summary: 'show which public access a bucket blocks',
        examples: ['holdfast s3 public-access get photos'],
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: publicAccessBlockSchema,
  },
  'publicAccess.set': {
    summary: 'replace the public access block of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 public-access set <bucket>',
        summary: 'block the given kinds of public access to a bucket, and no others',
        examples: ['holdfast s3 public-access set photos --block-public-acls --ignore-public-acls'],
        options: {
          blockPublicAcls: 'reject new ACLs that grant public access',
          ignorePublicAcls: 'ignore grants of public access in existing ACLs',
          blockPublicPolicy: 'reject a new policy that grants public access',
          restrictPublicBuckets: 'ignore grants of public access in the existing policy',
        },
        destroys: 'replace the public access block of bucket {bucket}',
        done: 'set the public access block of bucket {bucket}',
      },
      {
        usage: 's3 public-access block <bucket>',
        summary: 'block all public access to a bucket',
        examples: ['holdfast s3 public-access block photos'],
        set: {
          blockPublicAcls: true,
          ignorePublicAcls: true,
          blockPublicPolicy: true,
          restrictPublicBuckets: true,
        },
        done: 'blocked all public access to bucket {bucket}',
      },
    ],
    params: publicAccessBlockSchema.extend({ bucket, ...atTarget }),
    result: empty,
  },
  'publicAccess.remove': {
    summary: 'remove the public access block of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 public-access remove <bucket>',
        examples: ['holdfast s3 public-access remove photos'],
        destroys: 'remove the public access block of bucket {bucket}',
        done: 'removed the public access block of bucket {bucket}',
        absent: 'nothing to remove: bucket {bucket} has no public access block',
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: removed,
  },
  /**
   * Validates `policy` without changing anything. If `policy` is absent, validates the current policy of the bucket.
   */
  'policy.check': {
    summary: 'check a bucket policy without changing anything',
    danger: 'reads',

    params: z.object({ bucket, policy: policyText.optional() }),
    result: z.object({
      statements: z.number().int(),
      /** Whether the policy grants public access. */
      isPublic: z.boolean(),
      problems: z.array(
        z.object({
          /** The position of the invalid statement, starting at 1. Absent if the problem concerns the whole policy. */
          statement: z.number().int().optional(),
          sid: z.string().optional(),
          message: z.string(),
        }),
      ),
    }),
  },
  /** Returns whether a user or an anonymous caller is allowed to perform an action, and which rule decides. */
  'policy.explain': {
    summary: 'explain whether a caller would be allowed an action, and which rule decides',
    danger: 'reads',

    params: placeSchema.extend({
      ...namedUserSchema.shape,
      /** The name of the action as in a policy, such as `GetObject`, with or without `s3:`. */
      action: z.string(),
      anonymous: z.boolean(),
      sourceIp: z.string().optional(),
      /** Whether the simulated request uses TLS. */
      secure: z.boolean().optional(),
      /** Condition values of the simulated request, by condition key. */
      conditions: z.record(z.string(), z.string()),
    }),
    result: z.object({
      allowed: z.boolean(),
      action: z.string(),
      /** The caller: a storage user ID, or `anonymous`. */
      who: z.string(),
      reason: z.enum([
        'policy',
        'grant',
        'owner',
        'project',
        'owner-only',
        'privilege',
        'limit',
        'nothing',
      ]),
      /**
       * Whether the object exists. Always true for an action on the bucket. A caller that may list the bucket gets the
       * response 404 if the object does not exist.
       */
      exists: z.boolean(),
      /** The position of the policy statement that decides, starting at 1. Absent if no statement decides. */
      statement: z.number().int().optional(),
      sid: z.string().optional(),
      grant: grantSchema.extend({ on: z.enum(['bucket', 'object']) }).optional(),
    }),
  },
} as const;
