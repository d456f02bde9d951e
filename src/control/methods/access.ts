/** Methods on the rights of others to buckets and objects of the embedded store: access control lists and policies. */

import { z } from 'zod';

import { empty, namedUserSchema } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);

/** An object where `key` is given, else a bucket. */
const placeSchema = z.object({ bucket, key: key.optional(), versionId: z.string().optional() });
const aclPlaceSchema = placeSchema.extend(atTarget);

const permission = z.enum(['READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL']);

/** `AllUsers`, `AuthenticatedUsers`, or an id: `project:user@customer`, `project@customer`. */
const grantSchema = z.object({ grantee: z.string(), permission });

/** By the id of the grantee, or by the e-mail of a project. */
const askedGrantSchema = z.object({
  grantee: z.string().optional(),
  emailAddress: z.string().optional(),
  permission,
});

export const aclSchema = z.object({ owner: z.string(), grants: z.array(grantSchema) });

/** As large as a list may be. */
const MAX_GRANTS = 100;
const askedGrants = z.array(askedGrantSchema).max(MAX_GRANTS);

/** Room to tell that a document is too large: that is the store's to say. */
const policyText = z.string().max(1024 * 1024);

export const ACCESS_METHODS = {
  'acl.get': { params: aclPlaceSchema, result: aclSchema },
  /** A list that has a name, or these grants beside the owner's. */
  'acl.set': {
    params: aclPlaceSchema.extend({
      canned: z.string().optional(),
      grants: askedGrants.optional(),
    }),
    result: aclSchema,
  },
  /** `strict`: `NotFound` for a grant to be revoked that is not there, and then nothing is changed. */
  'acl.change': {
    params: aclPlaceSchema.extend({ grant: askedGrants, revoke: askedGrants, strict: z.boolean() }),
    result: aclSchema,
  },
  'policy.get': {
    params: z.object({ bucket, ...atTarget }),
    result: z.object({ policy: z.string() }),
  },
  'policy.set': { params: z.object({ bucket, policy: policyText, ...atTarget }), result: empty },
  'policy.remove': { params: z.object({ bucket, ...atTarget }), result: empty },
  /** Without `policy`: that of the bucket. Changes nothing. */
  'policy.check': {
    params: z.object({ bucket, policy: policyText.optional() }),
    result: z.object({
      statements: z.number().int(),
      /** It allows something to everyone. */
      isPublic: z.boolean(),
      problems: z.array(
        z.object({
          /** From 1; absent for the document as a whole. */
          statement: z.number().int().optional(),
          sid: z.string().optional(),
          message: z.string(),
        }),
      ),
    }),
  },
  /** Whether a user, or everyone, would be allowed an action, and what decides. */
  'policy.explain': {
    params: placeSchema.extend({
      ...namedUserSchema.shape,
      /** In the words of policies, with or without `s3:`. */
      action: z.string(),
      anonymous: z.boolean(),
      sourceIp: z.string().optional(),
      /** Over TLS. */
      secure: z.boolean().optional(),
      /** What the request says, by the keys of conditions. */
      conditions: z.record(z.string(), z.string()),
    }),
    result: z.object({
      allowed: z.boolean(),
      action: z.string(),
      /** Who asks: a storage user id, or `anonymous`. */
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
      /** False: the bucket is there, the object is not, and who may list the bucket is told so. */
      exists: z.boolean(),
      /** Of the policy, from 1. */
      statement: z.number().int().optional(),
      sid: z.string().optional(),
      grant: grantSchema.extend({ on: z.enum(['bucket', 'object']) }).optional(),
    }),
  },
} as const;
