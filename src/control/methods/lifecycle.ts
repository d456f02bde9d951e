/**
 * Declares the control methods on lifecycle rules of buckets and, for the embedded store, on the runs that apply them.
 */

import { z } from 'zod';

import { lifecycleRunSchema } from '../lifecycle-shapes.ts';
import { empty } from './people.ts';
import { tagSchema } from './objects.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
/** Maximum length of a lifecycle configuration that the protocol allows. */
const MAX_DOCUMENT_CHARACTERS = 2 * 1024 * 1024;
const MAX_PAGE_CHANGES = 10_000;
const MAX_RUNS = 200;

/** A lifecycle rule. This schema checks only types; the store validates the values. */
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
  /**
   * `mark` adds a delete marker. All other actions permanently remove a version, a delete marker or a multipart upload.
   */
  action: z.enum(['mark', 'remove', 'remove-marker', 'abort-upload']),
  /** Version ID; the upload ID if `action` is `abort-upload`. */
  versionId: z.string(),
  ruleId: z.string(),
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  /** Whether a lock prevents the action. */
  locked: z.boolean(),
});

/**
 * Milliseconds by which the clock is ahead of the trusted time, by which ages are calculated; 0 if the clock is
 * trusted.
 */
const clockAheadMs = z.number();

export const LIFECYCLE_METHODS = {
  'lifecycle.get': {
    summary: 'return the lifecycle rules of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 's3 lifecycle get <bucket>',
        summary: 'print the lifecycle rules of a bucket',
        examples: [
          'holdfast s3 lifecycle get photos',
          'holdfast s3 lifecycle get photos --json | jq .result > rules.json',
        ],
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: z.object({ rules }),
  },
  /** Replaces the lifecycle rules of the bucket. An empty list removes them. */
  'lifecycle.set': {
    summary: 'replace the lifecycle rules of a bucket',
    danger: 'destroys',
    params: z.object({ bucket, rules, ...atTarget }),
    result: empty,
  },
  /**
   * Replaces the lifecycle rules with those of a document: the XML of the storage protocol, or JSON as other tools
   * write it.
   */
  'lifecycle.import': {
    summary: 'replace the lifecycle rules of a bucket with those of a document',
    danger: 'destroys',

    params: z.object({
      bucket,
      document: z.string().max(MAX_DOCUMENT_CHARACTERS),
      ...atTarget,
    }),
    result: z.object({ rules }),
  },
  /** Resumes the run in progress or starts one over all buckets. Resolves when it has ended. */
  'lifecycle.run': {
    summary: 'apply the lifecycle rules of all buckets now',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 lifecycle run',
        more: 'Holdfast applies them each day after midnight UTC anyway.',
        examples: ['holdfast s3 lifecycle run'],
        destroys: 'remove what has expired by the lifecycle rules of all buckets',
      },
    ],
    params: empty,
    result: z.object({ run: lifecycleRunSchema, clockAheadMs }),
  },
  /** Returns the last runs, newest first. */
  'lifecycle.runs': {
    summary: 'list the last lifecycle runs, newest first',
    danger: 'reads',
    commands: [
      {
        usage: 's3 lifecycle runs',
        examples: [
          'holdfast s3 lifecycle runs',
          'holdfast s3 lifecycle runs --json | jq .result.runs[0]',
        ],
        options: { limit: { summary: 'maximum number of runs', default: '20' } },
        none: 'no runs yet',
      },
    ],

    params: z.object({ limit: z.number().int().min(1).max(MAX_RUNS) }),
    result: z.object({ runs: z.array(lifecycleRunSchema) }),
  },
  /** Returns the changes that a run would make to the current data, now or at the time `at`. Changes nothing. */
  'lifecycle.preview': {
    summary: 'return the changes that a lifecycle run would make',
    danger: 'reads',

    params: z.object({
      /** The only bucket to include; absent for all buckets. */
      bucket: bucket.optional(),
      at: z.number().optional(),
      /** Approximate number of changes to return. */
      limit: z.number().int().min(1).max(MAX_PAGE_CHANGES),
      /** `next` of the previous page; absent for the first page. */
      after: z.string().optional(),
    }),
    result: z.object({
      changes: z.array(lifecycleChangeSchema),
      looked: z.number().int(),
      at: z.number(),
      clockAheadMs,
      /** Present until the scan is complete, even if `changes` is empty. */
      next: z.string().optional(),
    }),
  },
} as const;
