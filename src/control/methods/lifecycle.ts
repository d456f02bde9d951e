/** Methods on the lifecycle of buckets: their rules, and in the embedded store what these would do, and did. */

import { z } from 'zod';

import { lifecycleRunSchema } from '../lifecycle-shapes.ts';
import { empty } from './people.ts';
import { tagSchema } from './objects.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
/** As long as a rule set may be on the wire. */
const MAX_DOCUMENT_CHARACTERS = 2 * 1024 * 1024;
const MAX_PAGE_CHANGES = 10_000;
const MAX_RUNS = 200;

/** What each member may be is the storage's to say. */
export const lifecycleRuleSchema = z.object({
  id: z.string().optional(),
  enabled: z.boolean(),
  filter: z.object({
    prefix: z.string().optional(),
    tags: z.array(tagSchema).readonly().optional(),
    sizeGreaterThan: z.number().optional(),
    sizeLessThan: z.number().optional(),
  }),
  legacyPrefix: z.literal(true).optional(),
  expiration: z
    .union([
      z.strictObject({ days: z.number() }),
      z.strictObject({ date: z.number() }),
      z.strictObject({ expiredDeleteMarker: z.literal(true) }),
    ])
    .optional(),
  noncurrentExpiration: z
    .object({ days: z.number(), keepNewest: z.number().optional() })
    .optional(),
  abortUploadsAfterDays: z.number().optional(),
});

const rules = z.array(lifecycleRuleSchema).readonly();

export const lifecycleChangeSchema = z.object({
  bucket: z.string(),
  key: z.string(),
  /** `mark` puts a delete marker on top; all others remove for good. */
  action: z.enum(['mark', 'remove', 'remove-marker', 'abort-upload']),
  /** Of uploads, their own ids. */
  versionId: z.string(),
  ruleId: z.string(),
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  /** A lock keeps it: nothing would be done. */
  locked: z.boolean(),
});

/** How far the clock is ahead of the time by which ages are judged; 0 when it is believed. */
const clockAheadMs = z.number();

export const LIFECYCLE_METHODS = {
  'lifecycle.get': { params: z.object({ bucket, ...atTarget }), result: z.object({ rules }) },
  /** In place of those of before; none removes them. */
  'lifecycle.set': { params: z.object({ bucket, rules, ...atTarget }), result: empty },
  /** The same from a document of the storage protocol: XML, or JSON as other tools have it. */
  'lifecycle.import': {
    params: z.object({
      bucket,
      document: z.string().max(MAX_DOCUMENT_CHARACTERS),
      ...atTarget,
    }),
    result: z.object({ rules }),
  },
  /** Goes on with the run under way or makes one, over all buckets; resolves when it has ended. */
  'lifecycle.run': { params: empty, result: z.object({ run: lifecycleRunSchema, clockAheadMs }) },
  /** The last runs, the newest first. */
  'lifecycle.runs': {
    params: z.object({ limit: z.number().int().min(1).max(MAX_RUNS) }),
    result: z.object({ runs: z.array(lifecycleRunSchema) }),
  },
  /** What a run would do, now or at an instant, as things are. Changes nothing. */
  'lifecycle.preview': {
    params: z.object({
      /** Absent: of all buckets. */
      bucket: bucket.optional(),
      at: z.number().optional(),
      /** About so many. */
      limit: z.number().int().min(1).max(MAX_PAGE_CHANGES),
      /** `next` of the page before. */
      after: z.string().optional(),
    }),
    result: z.object({
      changes: z.array(lifecycleChangeSchema),
      looked: z.number().int(),
      at: z.number(),
      clockAheadMs,
      /** Present while there is more to look at. */
      next: z.string().optional(),
    }),
  },
} as const;
