/** Defines the basic control methods for buckets and objects: list, create, read, write and delete. */

import { z } from 'zod';

import {
  bucketSchema,
  listedObjectSchema,
  listedVersionSchema,
  objectInfoSchema,
} from '../shapes.ts';
import { customerKeySchema } from './encryption.ts';
import { attributesSchema, tagSchema } from './objects.ts';
import { empty } from './people.ts';
import { atTarget } from './target.ts';

const bucketName = z.string().min(1).max(255);
const objectKey = z.string().min(1).max(4096);
const byteRange = z.object({
  start: z.number().int().min(0),
  end: z.number().int().min(0).optional(),
});

export const BASIC_METHODS = {
  'buckets.list': {
    summary: 'list the buckets',
    danger: 'reads',

    params: z.object(atTarget),
    result: z.object({ buckets: z.array(bucketSchema) }),
  },
  'buckets.create': {
    summary: 'create a bucket',
    danger: 'changes',

    params: z.object({
      bucket: bucketName,
      versioning: z.boolean(),
      objectLock: z.boolean(),
      ...atTarget,
    }),
    /** Whether the bucket already existed. Absent if the service does not report this to the caller. */
    result: z.object({ existing: z.boolean().optional() }),
  },
  'buckets.delete': {
    summary: 'delete an empty bucket',
    danger: 'destroys',
    params: z.object({ bucket: bucketName, ...atTarget }),
    result: empty,
  },
  'objects.list': {
    summary: 'list the current objects of a bucket',
    danger: 'reads',

    params: z.object({
      bucket: bucketName,
      prefix: z.string().optional(),
      delimiter: z.string().optional(),
      maxKeys: z.number().int().optional(),
      continuationToken: z.string().optional(),
      ...atTarget,
    }),
    result: z.object({
      objects: z.array(listedObjectSchema),
      commonPrefixes: z.array(z.string()),
      nextToken: z.string().optional(),
    }),
  },
  'versions.list': {
    summary: 'list the versions and delete markers of a bucket',
    danger: 'reads',

    params: z.object({
      bucket: bucketName,
      prefix: z.string().optional(),
      delimiter: z.string().optional(),
      keyMarker: z.string().optional(),
      versionIdMarker: z.string().optional(),
      maxKeys: z.number().int().optional(),
      ...atTarget,
    }),
    result: z.object({
      versions: z.array(listedVersionSchema),
      commonPrefixes: z.array(z.string()),
      next: z.object({ keyMarker: z.string(), versionIdMarker: z.string().optional() }).optional(),
    }),
  },
  'objects.delete': {
    summary: 'delete an object or a version',
    danger: 'destroys',

    params: z.object({
      bucket: bucketName,
      key: objectKey,
      versionId: z.string().optional(),
      bypassGovernance: z.boolean().optional(),
      ...atTarget,
    }),
    result: z.object({ versionId: z.string().optional(), deleteMarker: z.boolean() }),
  },
  /**
   * Opens a stream with the bytes of an object. The client can use the stream once (see control-protocol.md,
   * "Streams").
   */
  'objects.get': {
    summary: 'read an object, as a stream',
    danger: 'reads',

    params: z.object({
      bucket: bucketName,
      key: objectKey,
      versionId: z.string().optional(),
      customerKey: customerKeySchema.optional(),
      /**
       * The first and last byte to read, both inclusive. If `end` is absent, the range extends to the last byte of
       * the object.
       */
      range: byteRange.optional(),
      ...atTarget,
    }),
    /**
     * `range` is the part of the object that the stream contains. Absent if the stream contains the whole object.
     */
    result: z.object({
      stream: z.string(),
      info: objectInfoSchema,
      range: z.object({ start: z.number().int(), end: z.number().int() }).optional(),
    }),
  },
  /**
   * Opens a stream that the client can use once to send the bytes of an object. `objects.put.wait` resolves with
   * the result when the bytes are durable.
   */
  'objects.put': {
    summary: 'write an object from a stream',
    danger: 'changes',

    params: z.object({
      bucket: bucketName,
      key: objectKey,
      sizeBytes: z.number().optional(),
      attributes: attributesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      /**
       * Whether an existing object may be overwritten. If false and the object exists, the upload fails with
       * `PreconditionFailed`.
       */
      overwrite: z.boolean().optional(),
      customerKey: customerKeySchema.optional(),
      ...atTarget,
    }),
    result: z.object({ stream: z.string() }),
  },
  'objects.put.wait': {
    summary: 'wait until an uploaded object is durable',
    danger: 'reads',

    params: z.object({ stream: z.string() }),
    result: z.object({ etag: z.string(), versionId: z.string().optional() }),
  },
} as const;
