/** Defines the control methods that copy, rename, tag and describe objects and buckets. */

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

/** The metadata of an object: HTTP headers, the website redirect and user metadata. */
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

/** The metadata to change. All other metadata stays unchanged. */
export const changesSchema = attributesSchema.extend({
  /** The names of the metadata to remove. `metadata.NAME` selects user metadata. */
  remove: z.array(z.string()).optional(),
});

const tagChangesSchema = z.object({
  set: z.array(tagSchema).max(50),
  /** The keys of the tags to remove. `all` removes every tag that is not in `set`. */
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
  /** The first 1,000 objects that could not be copied or renamed. */
  failed: z.array(
    z.object({ from: z.string(), to: z.string(), code: z.string(), message: z.string() }),
  ),
  /** The first 1,000 objects of a dry run. Absent if the request is not a dry run. */
  planned: z
    .array(z.object({ from: z.string(), to: z.string(), sizeBytes: z.number() }))
    .optional(),
  /**
   * For a rename: whether older versions remain under the old keys, and whether all ACLs were copied. Absent for a
   * copy.
   */
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
  /** Whether the object is encrypted with a customer-provided key (SSE-C). */
  encrypted: z.boolean(),
  /** The number of parts. Absent if the object was not created by a multipart upload. */
  parts: z.number().int().optional(),
  /**
   * The number of versions of the key, including delete markers. At most 1,000 versions are counted. `more` is true if
   * there are more.
   */
  versions: z.object({ count: z.number().int(), more: z.boolean() }),
  /**
   * The disk image format that was detected in the content, and how the image can be used. Absent if no format was
   * detected.
   */
  image: z
    .object({ format: z.string(), variant: z.string(), servesAs: z.array(z.string()) })
    .optional(),
  /**
   * The properties that the service did not return to this access key: `tags`, `parts` or `versions`. Absent if it
   * returned all properties.
   */
  unreported: z.array(z.string()).optional(),
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
  /** The quotas of the bucket. */
  limits: z.object({ objects: z.number().int(), sizeBytes: z.number() }).optional(),
  tags: z.array(tagSchema),
  /** The grants in the bucket's ACL to grantees other than the owner. */
  grants: z.array(z.object({ grantee: z.string(), permission: z.string() })),
  /** The configurations that exist for the bucket, such as `policy`. */
  configured: z.array(
    z.enum(['cors', 'lifecycle', 'policy', 'public access', 'public access block', 'website']),
  ),
  /**
   * The properties that the service did not return to this access key: `tags`, `object lock`, `grants`, or a value of
   * `configured`. Absent if it returned all properties.
   */
  unreported: z.array(z.string()).optional(),
});

/**
 * The customer-provided key (SSE-C) of the object that is read. If the method creates a copy, the copy is encrypted
 * with the same key.
 */
const customerKey = customerKeySchema.optional();
/**
 * An ID that the caller chooses. It identifies the `copy.progress` events of this call, which report the progress of
 * copying a large object.
 */
const copyId = z.string().optional();

export const OBJECT_METHODS = {
  /**
   * Copies an object of any size within the service. Its metadata and tags are copied, except those given in `changes`
   * and `tags`.
   */
  'objects.copy': {
    summary: 'copy an object of any size within the service',
    danger: 'changes',

    params: z.object({
      from: versionSchema,
      to: placeSchema,
      overwrite: z.boolean(),
      changes: changesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      customerKey,
      id: copyId,
      ...atTarget,
    }),
    result: copiedObjectSchema,
  },
  /** Copies an object, verifies the copy, and then deletes the source. */
  'objects.rename': {
    summary: 'copy an object, verify the copy and delete the source',
    danger: 'destroys',

    params: z.object({
      from: placeSchema,
      to: placeSchema,
      overwrite: z.boolean(),
      customerKey,
      id: copyId,
      ...atTarget,
    }),
    result: z.object({
      sizeBytes: z.number(),
      versionId: z.string().optional(),
      versionsStay: z.boolean(),
      rightsKept: z.boolean(),
    }),
  },
  /**
   * Copies every object under a prefix and sends `copy.progress` events. If an object fails, continues with the next.
   */
  'prefixes.copy': {
    summary: 'copy all objects below a prefix',
    danger: 'changes',

    params: z.object({
      from: prefixSchema,
      to: prefixSchema,
      overwrite: z.boolean(),
      changes: changesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      customerKey,
      dryRun: z.boolean(),
      /** An ID that the caller chooses. It identifies the events of this call. */
      id: z.string(),
      ...atTarget,
    }),
    result: transferSchema,
  },
  'prefixes.rename': {
    summary: 'rename all objects below a prefix',
    danger: 'destroys',

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
    summary: 'return all properties of an object',
    danger: 'reads',

    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: describedObjectSchema,
  },
  /** Returns the lock of an object with one request. `objects.describe` needs several requests. */
  'objects.locks': {
    summary: 'return the lock of an object with one request',
    danger: 'reads',

    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: describedObjectSchema.pick({ versionId: true, retention: true, legalHold: true }),
  },
  'objects.attributes': {
    summary: 'return the HTTP headers and user metadata of an object',
    danger: 'reads',

    params: versionSchema.extend({ customerKey, ...atTarget }),
    result: attributesSchema,
  },
  /**
   * Changes an object's metadata by copying the object onto itself. In a versioned bucket, this creates a new version.
   */
  'objects.change': {
    summary: 'change the attributes of an object by copying it onto itself',
    danger: 'changes',

    params: placeSchema.extend({ changes: changesSchema, customerKey, ...atTarget }),
    /** `rightsKept` is false if the service did not allow the ACL to be copied. */
    result: copiedObjectSchema.extend({ rightsKept: z.boolean() }),
  },
  'objects.tags': {
    summary: 'return the tags of an object',
    danger: 'reads',

    params: versionSchema.extend(atTarget),
    result: z.object({ tags: z.array(tagSchema), versionId: z.string().optional() }),
  },
  'objects.retag': {
    summary: 'change the tags of an object',
    danger: 'changes',

    params: versionSchema.extend({ changes: tagChangesSchema, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema), versionId: z.string().optional() }),
  },
  'buckets.describe': {
    summary: 'return all properties of a bucket',
    danger: 'reads',
    params: z.object({ bucket, ...atTarget }),
    result: describedBucketSchema,
  },
  'buckets.tags': {
    summary: 'return the tags of a bucket',
    danger: 'reads',

    params: z.object({ bucket, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema) }),
  },
  'buckets.retag': {
    summary: 'change the tags of a bucket',
    danger: 'changes',

    params: z.object({ bucket, changes: tagChangesSchema, ...atTarget }),
    result: z.object({ tags: z.array(tagSchema) }),
  },
} as const;
