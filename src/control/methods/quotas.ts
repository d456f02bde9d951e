/** Methods on what projects and buckets of the embedded store may hold. */

import { z } from 'zod';

import { namedProjectSchema } from './people.ts';

const bucket = z.string().min(1).max(255);
/** Null for what the configuration says. */
const limit = z.number().int().min(0).nullable();

export const bucketQuotaSchema = z.object({
  bytes: z.number(),
  objects: z.number().int(),
  /** What was set for this bucket; null where the configuration decides. */
  set: z.object({ bytes: z.number().nullable(), objects: z.number().int().nullable() }),
  usage: z.object({ objects: z.number().int(), sizeBytes: z.number() }),
});

export const projectQuotaSchema = z.object({
  project: z.string(),
  customer: z.string(),
  /** How many it may have, and whether that was set for this project. */
  buckets: z.number().int(),
  isSet: z.boolean(),
  /** How many it has. */
  used: z.number().int(),
});

/** The specification's: a project's quota can be raised so far. */
export const MAX_BUCKETS_PER_PROJECT = 1000;

export const QUOTA_METHODS = {
  'quotas.getBucket': { params: z.object({ bucket }), result: bucketQuotaSchema },
  /** What is absent stays as it is. Takes nothing away that is there already. */
  'quotas.setBucket': {
    params: z.object({ bucket, bytes: limit.optional(), objects: limit.optional() }),
    result: bucketQuotaSchema,
  },
  'quotas.getProject': { params: namedProjectSchema, result: projectQuotaSchema },
  'quotas.setProject': {
    params: namedProjectSchema.extend({
      buckets: z.number().int().min(0).max(MAX_BUCKETS_PER_PROJECT).nullable(),
    }),
    result: projectQuotaSchema,
  },
} as const;
