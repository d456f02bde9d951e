/** Methods that copy, rename, tag and describe objects and buckets. */

import { z } from 'zod';

import { hasPrototypeName, PROTOTYPE_NAME } from '../../base/own-member.ts';
import { customerKeySchema } from './encryption.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);
const placeSchema = z.object({ bucket, key });
const versionSchema = placeSchema.extend({ versionId: z.string().optional() });
const prefixSchema = z.object({ bucket, prefix: z.string().max(4096) });

export const tagSchema = z.object({ key: z.string(), value: z.string() });

/** What a writer states of an object beside its bytes. */
export const attributesSchema = z.object({
  contentType: z.string().optional(),
  contentEncoding: z.string().optional(),
  contentDisposition: z.string().optional(),
  contentLanguage: z.string().optional(),
  cacheControl: z.string().optional(),
  expires: z.string().optional(),
  websiteRedirect: z.string().optional(),
  metadata: z
    .preprocess(
      (names, context) => {
        if (hasPrototypeName(names))
          context.addIssue({
            code: 'custom',
            message: 'the name is reserved',
            path: [PROTOTYPE_NAME],
          });
        return names;
      },
      z.record(z.string(), z.string()),
    )
    .optional(),
});

/** What is to be other than it is: the rest of the attributes stays. */
export const changesSchema = attributesSchema.extend({
  /** Names of attributes that are to go: `metadata.NAME` for the user's own. */
  remove: z.array(z.string()).optional(),
});

const tagChangesSchema = z.object({
  set: z.array(tagSchema).max(50),
  /** `all`: but for those that are set. */
  remove: z.union([z.array(z.string()), z.literal('all')]),
});

export const copiedObjectSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string(),
  versionId: z.string().optional(),
});

export const transferSchema = z.object({
  objects: z.number().int(),
  bytes: z.number(),
  failedCount: z.number().int(),
  /** The first 1,000. */
  failed: z.array(
    z.object({ from: z.string(), to: z.string(), code: z.string(), message: z.string() }),
  ),
  /** The first 1,000 of a dry run. */
  planned: z
    .array(z.object({ from: z.string(), to: z.string(), sizeBytes: z.number() }))
    .optional(),
  /** Of renaming: whether older versions stay under the old names, and the rights of others came along. */
  versionsStay: z.boolean().optional(),
  rightsKept: z.boolean().optional(),
});

export const retentionSchema = z.object({
  mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
  retainUntil: z.number(),
});

export const describedObjectSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string(),
  lastModifiedAt: z.number(),
  versionId: z.string().optional(),
  attributes: attributesSchema,
  tags: z.array(tagSchema),
  checksum: z.object({ algorithm: z.string(), value: z.string(), type: z.string() }).optional(),
  retention: retentionSchema.optional(),
  legalHold: z.boolean().optional(),
  /** Under a key of the user's own. */
  encrypted: z.boolean(),
  /** Of a multipart object. */
  parts: z.number().int().optional(),
  /** Of the key, delete markers too; `more` than these, which are the first 1,000. */
  versions: z.object({ count: z.number().int(), more: z.boolean() }),
  /** By its content: what it may be made into. */
  image: z
    .object({ format: z.string(), variant: z.string(), servesAs: z.array(z.string()) })
    .optional(),
  /** What the service does not tell, or not to us: `tags`, `parts`, `versions`. */
  untold: z.array(z.string()).optional(),
});

export const describedBucketSchema = z.object({
  owner: z.string().optional(),
  location: z.string(),
  versioning: z.enum(['Enabled', 'Suspended']).optional(),
  objectLock: z
    .object({
      defaultRetention: z
        .object({
          mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
          days: z.number().optional(),
          years: z.number().optional(),
        })
        .optional(),
    })
    .optional(),
  usage: z.object({ objects: z.number().int(), sizeBytes: z.number() }).optional(),
  /** How much it may hold. */
  limits: z.object({ objects: z.number().int(), sizeBytes: z.number() }).optional(),
  tags: z.array(tagSchema),
  /** What others than its owner may, by its list. */
  grants: z.array(z.object({ grantee: z.string(), permission: z.string() })),
  /** Which of these it has. */
  configured: z.array(
    z.enum(['cors', 'lifecycle', 'policy', 'public access', 'public access block', 'website']),
  ),
  /** What the service does not tell, or not to us: of these, or `tags`, `object lock`, `grants`. */
  untold: z.array(z.string()).optional(),
});

/** Of what is read, and of what is made of it. */
const customerKey = customerKeySchema.optional();

export const OBJECT_METHODS = {
  /** Of any size, without its bytes passing through. Attributes and tags come along but for what is said here. */
  'objects.copy': {
    params: z.object({
      from: versionSchema,
      to: placeSchema,
      overwrite: z.boolean(),
      changes: changesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      customerKey,
      ...atTarget,
    }),
    result: copiedObjectSchema,
  },
  /** A copy, then a delete of the source once the copy is seen to be whole. */
  'objects.rename': {
    params: z.object({
      from: placeSchema,
      to: placeSchema,
      overwrite: z.boolean(),
      customerKey,
      ...atTarget,
    }),
    result: z.object({
      sizeBytes: z.number(),
      versionId: z.string().optional(),
      versionsStay: z.boolean(),
      rightsKept: z.boolean(),
    }),
  },
  /** Each object below a prefix, with `copy.progress` events; goes on after the failure of one. */
  'prefixes.copy': {
    params: z.object({
      from: prefixSchema,
      to: prefixSchema,
      overwrite: z.boolean(),
      changes: changesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      customerKey,
      dryRun: z.boolean(),
      /** Chosen by the caller: names the events. */
      id: z.string(),
      ...atTarget,
    }),
    result: transferSchema,
  },
  'prefixes.rename': {
    params: z.object({
      from: prefixSchema,
      to: prefixSchema,
      overwrite: z.boolean(),
      customerKey,
      dryRun: z.boolean(),
      id: z.string(),
      ...atTarget,
    }),
    result: transferSchema,
  },
  'objects.describe': {
    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: describedObjectSchema,
  },
  /** One request, as `objects.describe` has several. */
  'objects.locks': {
    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: describedObjectSchema.pick({ versionId: true, retention: true, legalHold: true }),
  },
  'objects.attributes': {
    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: attributesSchema,
  },
  /** By a copy of the object onto itself: in a bucket with versions a new one is made. */
  'objects.change': {
    params: placeSchema.extend({ changes: changesSchema, customerKey, ...atTarget }),
    /** `rightsKept`: whether the rights of others came along. */
    result: copiedObjectSchema.extend({ rightsKept: z.boolean() }),
  },
  'objects.tags': {
    params: versionSchema.extend(atTarget),
    result: z.object({ tags: z.array(tagSchema), versionId: z.string().optional() }),
  },
  'objects.retag': {
    params: versionSchema.extend({ changes: tagChangesSchema, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema), versionId: z.string().optional() }),
  },
  'buckets.describe': { params: z.object({ bucket, ...atTarget }), result: describedBucketSchema },
  'buckets.tags': {
    params: z.object({ bucket, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema) }),
  },
  'buckets.retag': {
    params: z.object({ bucket, changes: tagChangesSchema, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema) }),
  },
} as const;
