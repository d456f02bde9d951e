/**
 * Defines the control methods for lifecycle rules of buckets. For the embedded store, also declares the methods on
 * lifecycle runs.
 */

import { z } from 'zod';

import { lifecycleRunSchema } from '../lifecycle-shapes.ts';
import { empty } from './people.ts';
import { tagSchema } from './objects.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
/** The maximum length of a lifecycle configuration in the S3 protocol. */
const MAX_DOCUMENT_CHARACTERS = 2 * 1024 * 1024;
const MAX_PAGE_CHANGES = 10_000;
const MAX_RUNS = 200;

/** A lifecycle rule. This schema checks only types. The store validates the values. */
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
   * The action of the rule. `mark` adds a delete marker. All other actions permanently remove a version, a delete
   * marker or a multipart upload.
   */
  action: z.enum(['mark', 'remove', 'remove-marker', 'abort-upload']),
  /** The version ID. If `action` is `abort-upload`, this is the upload ID. */
  versionId: z.string(),
  ruleId: z.string(),
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  /** Whether a lock prevents the action. */
  locked: z.boolean(),
});

/**
 * How far the clock is ahead of the trusted time, in milliseconds. Lifecycle runs calculate ages by the trusted time. 0
 * if the clock is trusted.
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
  /** Replaces the lifecycle rules of the bucket. An empty list removes all rules. */
  'lifecycle.set': {
    summary: 'replace the lifecycle rules of a bucket',
    danger: 'destroys',
    params: z.object({ bucket, rules, ...atTarget }),
    result: empty,
  },
  /**
   * Replaces the lifecycle rules with the rules in a lifecycle configuration. It is XML as in the S3 protocol, or JSON
   * as other S3 tools write it.
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
  /** Resumes the lifecycle run in progress, or starts a run over all buckets. Resolves when the run has ended. */
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
  /** Returns the last lifecycle runs, newest first. */
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
  /**
   * Returns the changes that a lifecycle run would make to the current data, now or at the time `at`. Changes nothing.
   */
  'lifecycle.preview': {
    summary: 'return the changes that a lifecycle run would make',
    danger: 'reads',

    params: z.object({
      /** The only bucket to include. Absent for all buckets. */
      bucket: bucket.optional(),
      at: z.number().optional(),
      /** The approximate number of changes to return. */
      limit: z.number().int().min(1).max(MAX_PAGE_CHANGES),
      /** The value of `next` from the previous page. Absent for the first page. */
      after: z.string().optional(),
    }),
    result: z.object({
      changes: z.array(lifecycleChangeSchema),
      looked: z.number().int(),
      at: z.number(),
      clockAheadMs,
      /** Where the next page starts. Present until the scan is complete, even if `changes` is empty. */
      next: z.string().optional(),
    }),
  },
} as const;
