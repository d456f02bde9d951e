/** Defines the schemas that several messages share, such as the status of a job, an object or a version. */

import { z } from 'zod';

import { alarmSchema } from './methods/monitoring.ts';
import { progressSchema } from './methods/throughput.ts';
import { storeHealthSchema } from './store-shapes.ts';

export const problemSchema = z.object({ path: z.string(), code: z.string(), message: z.string() });

/** The user's acknowledgement of a problem. Until `until` (in ms since 1970), the problem does not count as a risk. */
export const acknowledgementSchema = z.object({
  note: z.string().min(1).max(200),
  until: z.number(),
});

export const listenerSchema = z.object({
  name: z.string(),
  host: z.string(),
  port: z.number().int(),
  url: z.string(),
});

export const jobCountsSchema = z.object({
  files: z.number().int(),
  bytes: z.number(),
  /** The number of paths that differ from the bucket and have not been processed yet. */
  pending: z.number().int(),
  pendingBytes: z.number(),
  /** Totals since the daemon started: versions created, bytes uploaded, delete markers created. */
  uploadedVersions: z.number().int(),
  uploadedBytes: z.number(),
  deleted: z.number().int(),
  conflicts: z.number().int(),
  drifted: z.number().int(),
  foreign: z.number().int(),
  /** The number of changes that are held until the user decides. */
  held: z.number().int(),
  /** The number of held changes that are also counted in `conflicts`. */
  heldConflicts: z.number().int().optional(),
  problems: z.number().int(),
  /** The number of problems that the user acknowledged. `problems` does not include them. Absent if there are none. */
  acknowledged: z.number().int().optional(),
  /** The number of sockets, pipes and devices. They have no content to back up. Absent if there are none. */
  skipped: z.number().int().optional(),
});

const answerSchema = z.enum(['honoured', 'unquoted', 'refused', 'passed over']);
const writeAnswersSchema = z.object({ ifMatch: answerSchema, ifNoneMatch: answerSchema });
const lockAnswerSchema = z.enum(['kept', 'dropped']);

/** How the service handles conditional writes, and how the job avoids overwriting the writes of other clients. */
export const capabilitiesSchema = z.object({
  bucket: z.enum(['unversioned', 'versioned', 'object-lock']),
  /**
   * How the job avoids overwriting the writes of other clients. `conditions`: conditional writes prevent lost writes.
   * `proof`: an overwritten version is detected and recorded afterwards. `unguarded`: writes of other clients may be
   * lost.
   */
  guarding: z.enum(['conditions', 'proof', 'unguarded']),
  /**
   * When the service was probed, in milliseconds since 1970. Absent for the embedded store. It supports all conditions
   * and is not probed.
   */
  askedAt: z.number().optional(),
  answers: z.object({
    put: writeAnswersSchema,
    complete: writeAnswersSchema,
    copy: writeAnswersSchema,
    delete: writeAnswersSchema.pick({ ifMatch: true }),
    /** Whether a version gets the lock that its multipart upload or copy requested. Absent if this was not probed. */
    locksOfUploads: lockAnswerSchema.optional(),
    locksOfCopies: lockAnswerSchema.optional(),
    /** Whether a version keeps its date when its lock, tags or ACL change. Absent if this was not probed. */
    versionDates: z.enum(['kept', 'changed']).optional(),
  }),
});

export const jobLocksSchema = z.object({
  /** The number and size of the current versions that the job keeps locked. */
  locked: z.number().int(),
  bytes: z.number(),
  /** The number of versions that should be locked but are not. */
  unlocked: z.number().int(),
  /** When the first of the job's locks ends: in milliseconds since 1970, and in whole days from now. */
  earliestUntil: z.number().optional(),
  firstLapseDays: z.number().int().optional(),
  /** The number of locks that are due for renewal. 10,000 means 10,000 or more. */
  renewalsDue: z.number().int(),
  /** The number of locks that could not be checked or extended. These are retried. */
  failing: z.number().int(),
  /** The number of versions whose lock renewal the user ended. */
  released: z.number().int(),
  /** The number of changes that `minVersionInterval` defers, and when the first of them is due. */
  deferred: z.number().int(),
  deferredUntil: z.number().optional(),
  /** The number of versions that will be removed when their lock ends, and when the first of these locks ends. */
  retained: z.number().int(),
  retainedUntil: z.number().optional(),
  /** Whether the credentials may extend locks, as tested within the last day. `reason` explains a refusal. */
  renewalRight: z.enum(['unknown', 'proven', 'refused']),
  reason: z.string().optional(),
});

/** Evidence that the backup can be restored. */
const proofStatusSchema = z.object({
  /**
   * When a restore test last found that everything it tested matched, in milliseconds since 1970. Absent if no restore
   * test has passed.
   */
  lastProvenRestorableAt: z.number().optional(),
  lastDrillAt: z.number().optional(),
  /** When the next restore test is due. Absent before the first restore test. */
  nextDrillAt: z.number().optional(),
  /** The number of failures in the last restore test. */
  drillFailures: z.number().int(),
  /**
   * The share of files and bytes that restore tests restored within `days` days, from 0 to 1. Absent before the first
   * test.
   */
  proven: z.object({ files: z.number(), bytes: z.number(), days: z.number() }).optional(),
  /** The share of bytes that were read from the bucket and found intact within `verifyDays`, from 0 to 1. */
  verifiedShare: z.number(),
  /** The number of versions that are known to be damaged. Each is counted as a problem. */
  damaged: z.number().int(),
  /** The number of damaged older versions whose content was uploaded again as a later version. */
  damagedEarlier: z.number().int(),
  /** The number of bytes per day that are read from the bucket for verification, at the current rate. */
  bytesPerDay: z.number(),
  /** The number of days that it takes to verify all content. Absent if no content is verified. */
  daysPerPass: z.number().int().optional(),
});

/** The result of version pruning. */
export const keepReportSchema = z.object({
  /** The number of versions removed. In a dry run, the number of versions to be removed. */
  versions: z.number().int(),
  bytes: z.number(),
  /** The number of delete markers removed because no version is below them. In a dry run, the number to be removed. */
  markers: z.number().int(),
  /**
   * Versions that were not removed. `retained`: versions that a lock, a legal hold or a refusal of the service retains.
   * `needed`: versions that open conflicts or anomalies refer to, and versions from which the job restores an object
   * that another client deleted.
   */
  retained: z.number().int(),
  needed: z.number().int(),
  /** The number of versions that other tools wrote. They are never removed. */
  others: z.number().int(),
  /**
   * The number of versions without a recorded upload time, on a service that may change dates. They are never removed.
   */
  undated: z.number().int(),
  /** The number of versions that the service failed to remove. `failure` is the first error. */
  failed: z.number().int(),
  failure: z.string().optional(),
});

export const jobStatusSchema = z.object({
  name: z.string(),
  folder: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  target: z.string(),
  /** The location of the bucket for display: `embedded store` or the endpoint URL. */
  targetUrl: z.string(),
  /** Where the customer-provided key of the job's objects comes from. Absent if the job has no such key. */
  customerKey: z.enum(['file', 'command']).optional(),
  state: z.enum([
    'starting',
    'scanning',
    'mirroring',
    'watching',
    'paused',
    'waiting',
    'no room',
    'root missing',
    'clock',
    'held',
    'failed',
    'stopped',
  ]),
  /** The reason for the state. Absent if the reason is obvious. */
  reason: z.string().optional(),
  /**
   * The deletes that were mirrored in the ten minutes before the folder was found missing. Absent if there were none.
   * `before` is a time before all of these deletes, in milliseconds since 1970.
   */
  passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
  /** The location of the bucket relative to the folder. */
  placement: z.enum(['same disk', 'this machine', 'elsewhere']),
  protection: z.object({
    /**
     * The protection of the job's files. `kept`: the bucket is on the same disk or machine as the folder. This protects
     * only against mistakes.
     */
    is: z.enum(['protected', 'kept', 'at risk', 'unknown']),
    reason: z.string().optional(),
    /** The command that shows details or fixes the cause. */
    command: z.string().optional(),
  }),
  /** True if the job is watching the folder and no change is pending, held or refused. */
  inSync: z.boolean(),
  /** The age in milliseconds of the oldest change that is not durable in the bucket yet. 0 if there is none. */
  lagMs: z.number(),
  /** When a sync round of any kind last finished. */
  lastRoundAt: z.number().optional(),
  lastRound: z.string().optional(),
  /** When a scan of the whole folder last finished since the job was opened. */
  lastFullRoundAt: z.number().optional(),
  /**
   * When the bucket was last compared with the folder, in milliseconds since 1970. Absent for the embedded store,
   * because it reports each change.
   */
  comparedAt: z.number().optional(),
  counts: jobCountsSchema,
  /** The first 100 problems. `counts.problems` is the total. */
  problems: z.array(problemSchema.extend({ acknowledged: acknowledgementSchema.optional() })),
  /**
   * The share of the folder that is watched, such as `watching 100 %`. If part of the folder is polled, its share and
   * the reason.
   */
  watch: z.string(),
  warnings: z.array(z.string()),
  /** The locks of the job's versions. Absent if the job sets no locks. */
  locks: jobLocksSchema.optional(),
  /** The results of restore tests and verification. Absent until the job is open. */
  proof: proofStatusSchema.optional(),
  /** The result of the last version pruning. Absent until versions were removed. */
  keep: keepReportSchema.extend({ at: z.number() }).optional(),
  /** The status of the mass-change guard. Absent without an anomaly or rejected changes. */
  brake: z
    .object({
      /** When files started to change as in an attack, in milliseconds since 1970. Present until the user decides. */
      alarmSince: z.number().optional(),
      reason: z.string().optional(),
      /** The number of files that differ from the bucket because the user rejected their new content. */
      rejectedOverwrites: z.number().int(),
      /** The number of files that are only in the bucket, because the user rejected their deletes. Absent if 0. */
      rejectedDeletes: z.number().int().optional(),
    })
    .optional(),
  /** The current rate limit and the time of the next scheduled run. Absent if the job has neither. */
  manners: z
    .object({ bytesPerSecond: z.number().optional(), nextRunAt: z.number().optional() })
    .optional(),
  capabilities: capabilitiesSchema.optional(),
  /** The progress of the job. Absent if nothing remains to be done. */
  progress: progressSchema.optional(),
  /** The number of files that the running scan has found, and the approximate total (absent during the first scan). */
  scan: z.object({ files: z.number().int(), expected: z.number().int().optional() }).optional(),
});

export const statusSchema = z.object({
  version: z.string(),
  pid: z.number().int(),
  home: z.string(),
  startedAt: z.number(),
  listeners: z.array(listenerSchema),
  /** The health of the embedded store. */
  store: storeHealthSchema,
  /** The free space and the size of the embedded store's file system. Absent if they cannot be read. */
  disk: z.object({ freeBytes: z.number(), sizeBytes: z.number() }).optional(),
  /** True for `holdfast s3 serve`, which runs only a store and accepts no jobs. Absent otherwise. */
  storeOnly: z.boolean().optional(),
  jobs: z.array(jobStatusSchema),
  /** The alarms in the state `ALARM`. */
  alarms: z.array(alarmSchema),
  warnings: z.array(z.string()),
});

export const jobSpecSchema = z.object({
  folder: z.string(),
  name: z.string().optional(),
  bucket: z.string().optional(),
  prefix: z.string().optional(),
  /** `local`, or the name of a configured target. */
  target: z.string().optional(),
  exclude: z.array(z.string()).optional(),
  /** Options as in `config.yaml`. They are validated in the same way. */
  lock: z.unknown().optional(),
  keep: z.unknown().optional(),
  /** Whether the job takes over its destination if the job that owns it no longer exists. */
  takeOver: z.boolean().optional(),
});

export const bucketSchema = z.object({ name: z.string(), createdAt: z.number() });

export const listedObjectSchema = z.object({
  key: z.string(),
  sizeBytes: z.number(),
  etag: z.string(),
  lastModifiedAt: z.number(),
});

export const listedVersionSchema = z.object({
  kind: z.enum(['version', 'delete-marker']),
  key: z.string(),
  versionId: z.string(),
  isLatest: z.boolean(),
  lastModifiedAt: z.number(),
  sizeBytes: z.number(),
  etag: z.string(),
});

export const objectInfoSchema = z.object({
  sizeBytes: z.number(),
  etag: z.string(),
  lastModifiedAt: z.number(),
  versionId: z.string().optional(),
  contentType: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

export const restoreResultSchema = z.object({
  /** The absolute path of the target folder. */
  to: z.string(),
  files: z.number().int(),
  /** The number of files and links that already existed with equal content. */
  kept: z.number().int(),
  directories: z.number().int(),
  symlinks: z.number().int(),
  /** The number of bytes that the restore downloaded. */
  bytes: z.number(),
  /**
   * The number of existing entries that were moved to `asideFolder`: they were in the way or not part of the restore.
   */
  aside: z.number().int(),
  asideFolder: z.string().optional(),
  /** The number of local files that were uploaded before they were replaced, because no version had their content. */
  saved: z.number().int(),
  /** Objects that may differ from the versions at the requested time: their number and the first 10 paths. */
  early: z.object({ count: z.number().int(), paths: z.array(z.string()) }),
  /**
   * Paths whose owner and mode bits 07000 were not applied, because nothing proves that the job uploaded their version:
   * their number and the first 100 paths.
   */
  unproven: z.object({ count: z.number().int(), paths: z.array(z.string()) }).optional(),
  /** The number of keys whose version at that time is unknown. Each is also one of the problems. */
  undated: z.number().int(),
  seconds: z.number(),
  /** The first 1,000 problems. `problemCount` is the total. */
  problems: z.array(problemSchema),
  problemCount: z.number().int(),
});

export type JobStatus = z.infer<typeof jobStatusSchema>;
export type Status = z.infer<typeof statusSchema>;
