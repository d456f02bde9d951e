/** Methods on versions and locks, and on many deletions at once. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { empty } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);
const bucketSchema = z.object({ bucket, ...atTarget });
const versionSchema = bucketSchema.extend({ key, versionId: z.string().optional() });

/** Days or years, never both. */
export const defaultRetentionSchema = z.object({
  mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
  days: z.number().int().optional(),
  years: z.number().int().optional(),
});

/** As many as the protocol takes at once. */
const MAX_DELETIONS = 1000;

export const LOCK_METHODS = {
  /** Absent: none was ever set. One that has ended is told too. */
  'retention.get': {
    params: versionSchema,
    result: z.object({ retention: retentionSchema.optional() }),
  },
  'retention.set': {
    params: versionSchema.extend({
      retention: retentionSchema,
      bypassGovernance: z.boolean().optional(),
    }),
    result: empty,
  },
  /** `stated`: whether somebody ever said whether there is one. */
  'hold.get': {
    params: versionSchema,
    result: z.object({ legalHold: z.boolean(), stated: z.boolean() }),
  },
  'hold.set': { params: versionSchema.extend({ legalHold: z.boolean() }), result: empty },
  /** The default of a bucket with object lock; absent: it has none. */
  'locks.get': {
    params: bucketSchema,
    result: z.object({ defaultRetention: defaultRetentionSchema.optional() }),
  },
  /** Without a default, the one of before is cancelled. */
  'locks.set': {
    params: bucketSchema.extend({ defaultRetention: defaultRetentionSchema.optional() }),
    result: empty,
  },
  /** Absent: it never had versions. */
  'versioning.get': {
    params: bucketSchema,
    result: z.object({ versioning: z.enum(['Enabled', 'Suspended']).optional() }),
  },
  'versioning.set': {
    params: bucketSchema.extend({ versioning: z.enum(['Enabled', 'Suspended']) }),
    result: empty,
  },
  /** Each outcome is its own; those that failed are told, the others counted. */
  'objects.deleteMany': {
    params: bucketSchema.extend({
      objects: z
        .array(z.object({ key, versionId: z.string().optional() }))
        .min(1)
        .max(MAX_DELETIONS),
      bypassGovernance: z.boolean().optional(),
    }),
    result: z.object({
      deleted: z.number().int(),
      /** Delete markers that were made. */
      markers: z.number().int(),
      /** Those of them whose ids the service told: removing them brings the objects back. */
      made: z.array(z.object({ key: z.string(), versionId: z.string() })).optional(),
      failed: z.array(
        z.object({
          key: z.string(),
          versionId: z.string().optional(),
          code: z.string(),
          message: z.string(),
        }),
      ),
    }),
  },
} as const;
