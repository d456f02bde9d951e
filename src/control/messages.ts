/**
 * Declares all methods of the control protocol in one table. The client and the daemon parse with these schemas, and
 * `--json` output of the command line has these shapes. A test compares control-protocol.md with this file.
 */

import { z } from 'zod';

import { FIRST_METHODS } from './first-messages.ts';
import { ACCESS_METHODS } from './methods/access.ts';
import { CLAIM_METHODS } from './methods/claims.ts';
import { CONFIG_METHODS } from './methods/config.ts';
import { CONFLICT_METHODS } from './methods/conflicts.ts';
import { ALERT_METHODS } from './methods/alerts.ts';
import { CLUSTER_METHODS } from './methods/clusters.ts';
import { CORS_METHODS } from './methods/cors.ts';
import { customerKeySchema, ENCRYPTION_METHODS } from './methods/encryption.ts';
import { HISTORY_METHODS } from './methods/history.ts';
import { JOB_LOCK_METHODS } from './methods/job-locks.ts';
import { JOB_METHODS } from './methods/jobs.ts';
import { KEY_METHODS } from './methods/keys.ts';
import { LIFECYCLE_METHODS } from './methods/lifecycle.ts';
import { LINK_METHODS } from './methods/links.ts';
import { LOCK_METHODS } from './methods/locks.ts';
import { attributesSchema, OBJECT_METHODS, tagSchema } from './methods/objects.ts';
import { MONITORING_METHODS } from './methods/monitoring.ts';
import { empty } from './methods/people.ts';
import { PROJECT_METHODS } from './methods/projects.ts';
import { PROOF_METHODS } from './methods/proof.ts';
import { QUOTA_METHODS } from './methods/quotas.ts';
import { RESTORE_METHODS } from './methods/restore.ts';
import { atTarget } from './methods/target.ts';
import { THROUGHPUT_METHODS } from './methods/throughput.ts';
import { USER_METHODS } from './methods/users.ts';
import { VERSION_METHODS } from './methods/versions.ts';
import { WEBSITE_METHODS } from './methods/websites.ts';
import {
  bucketSchema,
  listedObjectSchema,
  listedVersionSchema,
  objectInfoSchema,
} from './shapes.ts';
import { storeCheckSchema, storeRepairSchema } from './store-shapes.ts';

const bucketName = z.string().min(1).max(255);
const objectKey = z.string().min(1).max(4096);
const byteRange = z.object({
  start: z.number().int().min(0),
  end: z.number().int().min(0).optional(),
});

const { hello, status, shutdown } = FIRST_METHODS;

/** All methods, each with the schemas of its parameters and of its result. */
export const METHODS = {
  hello,
  status,
  shutdown,
  ...CONFIG_METHODS,
  ...KEY_METHODS,
  ...USER_METHODS,
  ...PROJECT_METHODS,
  ...ACCESS_METHODS,
  ...LINK_METHODS,
  ...LOCK_METHODS,
  ...VERSION_METHODS,
  ...QUOTA_METHODS,
  ...WEBSITE_METHODS,
  ...CORS_METHODS,
  ...LIFECYCLE_METHODS,
  ...ALERT_METHODS,
  ...CLUSTER_METHODS,
  ...JOB_METHODS,
  ...THROUGHPUT_METHODS,
  ...JOB_LOCK_METHODS,
  ...CLAIM_METHODS,
  ...CONFLICT_METHODS,
  ...RESTORE_METHODS,
  ...HISTORY_METHODS,
  ...PROOF_METHODS,
  /**
   * Checks the tables and files of the store against each other and, if `deep` is true, reads every byte. Changes
   * nothing.
   */
  'store.check': {
    /** `id` is chosen by the caller, and identifies the `store.progress` events. */
    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeCheckSchema,
  },
  /** Repairs what can be derived from other data. Removes no version. */
  'store.repair': {
    params: z.object({ deep: z.boolean(), id: z.string() }),
    result: storeRepairSchema,
  },
  /**
   * Sets the trusted time, by which locks are evaluated, to the clock, which the user has confirmed. Returns how far
   * the clock was ahead.
   */
  'store.trustClock': { params: empty, result: z.object({ clockAheadMs: z.number() }) },
  ...MONITORING_METHODS,
  'buckets.list': {
    params: z.object(atTarget),
    result: z.object({ buckets: z.array(bucketSchema) }),
  },
  'buckets.create': {
    params: z.object({
      bucket: bucketName,
      versioning: z.boolean(),
      objectLock: z.boolean(),
      ...atTarget,
    }),
    /** Whether the bucket existed before; absent if the service does not report that to the caller. */
    result: z.object({ existing: z.boolean().optional() }),
  },
  'buckets.delete': { params: z.object({ bucket: bucketName, ...atTarget }), result: empty },
  'objects.list': {
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
    params: z.object({
      bucket: bucketName,
      key: objectKey,
      versionId: z.string().optional(),
      bypassGovernance: z.boolean().optional(),
      ...atTarget,
    }),
    result: z.object({ versionId: z.string().optional(), deleteMarker: z.boolean() }),
  },
  /** Opens a one-use stream (see control-protocol.md, "Streams") that carries the object's bytes to the client. */
  'objects.get': {
    params: z.object({
      bucket: bucketName,
      key: objectKey,
      versionId: z.string().optional(),
      customerKey: customerKeySchema.optional(),
      /** First and last byte, both inclusive. If `end` is absent, the range extends to the last byte. */
      range: byteRange.optional(),
      ...atTarget,
    }),
    /** `range` is the part of the object that the stream carries; absent for the whole object. */
    result: z.object({
      stream: z.string(),
      info: objectInfoSchema,
      range: z.object({ start: z.number().int(), end: z.number().int() }).optional(),
    }),
  },
  /** Opens a one-use stream for the bytes. `objects.put.wait` returns the outcome once they are durable. */
  'objects.put': {
    params: z.object({
      bucket: bucketName,
      key: objectKey,
      sizeBytes: z.number().optional(),
      attributes: attributesSchema.optional(),
      tags: z.array(tagSchema).optional(),
      /** If false, the upload fails with `PreconditionFailed` if the object already exists. */
      overwrite: z.boolean().optional(),
      customerKey: customerKeySchema.optional(),
      ...atTarget,
    }),
    result: z.object({ stream: z.string() }),
  },
  'objects.put.wait': {
    params: z.object({ stream: z.string() }),
    result: z.object({ etag: z.string(), versionId: z.string().optional() }),
  },
  ...OBJECT_METHODS,
  ...ENCRYPTION_METHODS,
  'events.subscribe': FIRST_METHODS['events.subscribe'],
  'log.tail': FIRST_METHODS['log.tail'],
} as const;

export type { DaemonEvent, EventType, MissedEvents } from './first-messages.ts';
export type { ActivityLevel } from './handshake.ts';

export type MethodName = keyof typeof METHODS;
export type Params<M extends MethodName> = z.infer<(typeof METHODS)[M]['params']>;
export type Result<M extends MethodName> = z.infer<(typeof METHODS)[M]['result']>;
