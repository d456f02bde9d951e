/** Defines the control methods for versioning, retention and legal holds, and for bulk deletes. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { empty } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);
const bucketSchema = z.object({ bucket, ...atTarget });
const versionSchema = bucketSchema.extend({ key, versionId: z.string().optional() });

/** The default retention of a bucket, in either days or years. */
export const defaultRetentionSchema = z.object({
  mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
  days: z.number().int().optional(),
  years: z.number().int().optional(),
});

/** The maximum number of keys in a DeleteObjects request. */
const MAX_DELETIONS = 1000;

export const LOCK_METHODS = {
  /**
   * Returns the retention of a version, even if the retention has expired. The result has no retention if none was ever
   * set.
   */
  'retention.get': {
    summary: 'return the retention of a version',
    danger: 'reads',

    params: versionSchema,
    result: z.object({ retention: retentionSchema.optional() }),
  },
  /**
   * Sets the retention of a version. With `dryRun`, only checks whether the version's locks permit the change.
   * Permissions are not checked.
   */
  'retention.set': {
    summary: 'set the retention of a version',
    danger: 'destroys',

    params: versionSchema.extend({
      retention: retentionSchema,
      bypassGovernance: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
    result: empty,
  },
  /** Returns whether a version has a legal hold. `stated` is true if a legal hold was ever set or removed. */
  'hold.get': {
    summary: 'return whether a version has a legal hold',
    danger: 'reads',

    params: versionSchema,
    result: z.object({ legalHold: z.boolean(), stated: z.boolean() }),
  },
  /**
   * Sets or removes the legal hold of a version. With `dryRun`, only checks whether the version can have a legal hold.
   * Permissions are not checked.
   */
  'hold.set': {
    summary: 'place or remove the legal hold of a version',
    danger: 'destroys',

    params: versionSchema.extend({ legalHold: z.boolean(), dryRun: z.boolean().optional() }),
    result: empty,
  },
  /**
   * Returns the default retention of a bucket with Object Lock. The field is absent if the bucket has no default
   * retention.
   */
  'locks.get': {
    summary: 'return the default retention of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 'lock default get <bucket>',
        summary: 'show the default retention of new versions in a bucket',
        examples: ['holdfast lock default get archive'],
      },
    ],

    params: bucketSchema,
    result: z.object({ defaultRetention: defaultRetentionSchema.optional() }),
  },
  /** Sets the default retention of a bucket. Without `defaultRetention`, removes it. */
  'locks.set': {
    summary: 'set or remove the default retention of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 'lock default remove <bucket>',
        summary: 'remove the default retention of a bucket',
        more: 'Versions that are retained already remain retained.',
        examples: ['holdfast lock default remove archive'],
        destroys: 'remove the default retention of bucket {bucket}',
        done: '{bucket}: no default retention; versions that are retained already remain retained',
      },
    ],

    params: bucketSchema.extend({ defaultRetention: defaultRetentionSchema.optional() }),
    result: empty,
  },
  /** Returns the versioning state of a bucket. The state is absent if versioning was never enabled. */
  'versioning.get': {
    summary: 'return the versioning state of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 's3 versioning get <bucket>',
        summary: 'show whether a bucket keeps older versions',
        examples: ['holdfast s3 versioning get photos'],
      },
    ],

    params: bucketSchema,
    result: z.object({ versioning: z.enum(['Enabled', 'Suspended']).optional() }),
  },
  'versioning.set': {
    summary: 'enable or suspend versioning of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 versioning enable <bucket>',
        summary: 'keep older versions from now on',
        examples: ['holdfast s3 versioning enable photos'],
        set: { versioning: 'Enabled' },
        done: '{bucket}: Enabled; each write creates a version, each delete a delete marker',
      },
      {
        usage: 's3 versioning suspend <bucket>',
        summary: 'stop creating versions; existing versions remain',
        examples: ['holdfast s3 versioning suspend photos'],
        set: { versioning: 'Suspended' },
        destroys: 'suspend versioning of bucket {bucket}',
        done: '{bucket}: Suspended; no new versions, existing versions remain',
      },
    ],

    params: bucketSchema.extend({ versioning: z.enum(['Enabled', 'Suspended']) }),
    result: empty,
  },
  /**
   * Deletes objects or versions. Each delete succeeds or fails independently. Returns the number of successful
   * deletes, and every failed delete.
   */
  'objects.deleteMany': {
    summary: 'delete objects or versions, each independently of the others',
    danger: 'destroys',

    params: bucketSchema.extend({
      objects: z
        .array(z.object({ key, versionId: z.string().optional() }))
        .min(1)
        .max(MAX_DELETIONS),
      bypassGovernance: z.boolean().optional(),
    }),
    result: z.object({
      deleted: z.number().int(),
      /** The number of delete markers that were created. */
      markers: z.number().int(),
      /**
       * The created delete markers whose version IDs the service returned. Removing a delete marker makes its object
       * visible again.
       */
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
