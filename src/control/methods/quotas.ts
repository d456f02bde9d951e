/** Defines the control methods for quotas of projects and buckets of the embedded store. */

import { z } from 'zod';

import { namedProjectSchema } from './people.ts';

const bucket = z.string().min(1).max(255);
/** A quota. Null selects the configured default. */
const limit = z.number().int().min(0).nullable();

export const bucketQuotaSchema = z.object({
  bytes: z.number(),
  objects: z.number().int(),
  /** The quotas that were set for this bucket. Null where the configured default applies. */
  set: z.object({ bytes: z.number().nullable(), objects: z.number().int().nullable() }),
  usage: z.object({ objects: z.number().int(), sizeBytes: z.number() }),
});

export const projectQuotaSchema = z.object({
  project: z.string(),
  customer: z.string(),
  /** The maximum number of buckets, and whether this limit was set for this project. */
  buckets: z.number().int(),
  isSet: z.boolean(),
  /** The number of buckets that the project has. */
  used: z.number().int(),
});

/** The highest bucket quota that a project can have, according to the specification. */
export const MAX_BUCKETS_PER_PROJECT = 1000;

export const QUOTA_METHODS = {
  'quotas.getBucket': {
    summary: 'return the quotas of a bucket and their use',
    danger: 'reads',
    params: z.object({ bucket }),
    result: bucketQuotaSchema,
  },
  /**
   * Sets the quotas of a bucket. An absent quota stays unchanged. Existing objects are kept even if they exceed a
   * quota.
   */
  'quotas.setBucket': {
    summary: 'set the quotas of a bucket',
    danger: 'changes',

    params: z.object({ bucket, bytes: limit.optional(), objects: limit.optional() }),
    result: bucketQuotaSchema,
  },
  'quotas.getProject': {
    summary: 'return the bucket quota of a project and its use',
    danger: 'reads',
    params: namedProjectSchema,
    result: projectQuotaSchema,
  },
  'quotas.setProject': {
    summary: 'set the bucket quota of a project',
    danger: 'changes',

    params: namedProjectSchema.extend({
      buckets: z.number().int().min(0).max(MAX_BUCKETS_PER_PROJECT).nullable(),
    }),
    result: projectQuotaSchema,
  },
} as const;
