/**
 * Declares the shapes that several messages of the control protocol share, such as the status of a job, an object or a
 * version.
 */

import { z } from 'zod';

import { alarmSchema } from './methods/monitoring.ts';
import { progressSchema } from './methods/throughput.ts';
import { storeHealthSchema } from './store-shapes.ts';

export const problemSchema = z.object({ path: z.string(), code: z.string(), message: z.string() });

/**
 * The user's acknowledgement of a problem, which does not count as a risk until `until`, in milliseconds since 1970.
 */
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
  /** Number of paths that differ from the bucket and are not handled yet. */
  pending: z.number().int(),
  pendingBytes: z.number(),
  /** Since the daemon started: versions created, bytes uploaded, delete markers created. */
  uploadedVersions: z.number().int(),
  uploadedBytes: z.number(),
  deleted: z.number().int(),
  conflicts: z.number().int(),
  drifted: z.number().int(),
  foreign: z.number().int(),
  /** Number of changes that are held until the user decides. */
  held: z.number().int(),
  /** Number of held changes that `conflicts` counts, too. */
  heldConflicts: z.number().int().optional(),
  problems: z.number().int(),
  /** Number of problems that the user acknowledged, which `problems` does not count. Absent if there are none. */
  acknowledged: z.number().int().optional(),
  /** Number of sockets, pipes and devices, which have no content to back up. Absent if there are none. */
  skipped: z.number().int().optional(),
});

const answerSchema = z.enum(['honoured', 'unquoted', 'refused', 'passed over']);
const writeAnswersSchema = z.object({ ifMatch: answerSchema, ifNoneMatch: answerSchema });
const lockAnswerSchema = z.enum(['kept', 'dropped']);

/**
 * How the service handles conditional writes, and how writes of other clients are therefore protected from being
 * overwritten.
 */
export const capabilitiesSchema = z.object({
  bucket: z.enum(['unversioned', 'versioned', 'object-lock']),
  /**
   * `conditions`: conditional writes protect the writes of other clients. `proof`: an overwritten version is detected
   * and recorded afterwards. `unguarded`: they may be lost.
   */
  guarding: z.enum(['conditions', 'proof', 'unguarded']),
  /**
   * When the service was probed, in milliseconds since 1970; absent for the embedded store, which evaluates all
   * conditions and is not probed.
   */
  askedAt: z.number().optional(),
  answers: z.object({
    put: writeAnswersSchema,
    complete: writeAnswersSchema,
    copy: writeAnswersSchema,
    delete: writeAnswersSchema.pick({ ifMatch: true }),
    /** Whether a version gets the lock that its multipart upload or copy requested; absent if that was not probed. */
    locksOfUploads: lockAnswerSchema.optional(),
    locksOfCopies: lockAnswerSchema.optional(),
    /** Whether a version keeps its date when its lock, tags or ACL change; absent if that was not probed. */
    versionDates: z.enum(['kept', 'changed']).optional(),
  }),
});

export const jobLocksSchema = z.object({
  /** Number and size of the current versions that the job keeps locked. */
  locked: z.number().int(),
  bytes: z.number(),
  /** Number of versions that should be locked but are not. */
  unlocked: z.number().int(),
  /** When the first of these locks ends, in milliseconds since 1970, and in how many whole days. */
  earliestUntil: z.number().optional(),
  firstLapseDays: z.number().int().optional(),
  /** Number of locks to renew now; 10,000 means 10,000 or more. */
  renewalsDue: z.number().int(),
  /** Number of locks that could not be checked or extended and that are retried. */
  failing: z.number().int(),
  /** Number of versions whose renewal the user ended. */
  released: z.number().int(),
  /** Number of changes that `minVersionInterval` defers, and until when the first of them is deferred. */
  deferred: z.number().int(),
  deferredUntil: z.number().optional(),
  /** Number of versions that are to be removed but are locked, and when the first of these locks ends. */
  retained: z.number().int(),
  retainedUntil: z.number().optional(),
  /** Whether the credentials may extend locks, as tested within the last day. `reason` says why not. */
  renewalRight: z.enum(['unknown', 'proven', 'refused']),
  reason: z.string().optional(),
});

/** Evidence that the backup can be restored. */
const proofStatusSchema = z.object({
  /**
   * When a restore test last found everything that it tested to be as stored, in milliseconds since 1970; absent if
   * none did.
   */
  lastProvenRestorableAt: z.number().optional(),
  lastDrillAt: z.number().optional(),
  /** When the next restore test is due; absent before the first one. */
  nextDrillAt: z.number().optional(),
  /** Number of failures in the last restore test. */
  drillFailures: z.number().int(),
  /**
   * Shares of the files and of the bytes that restore tests proved within `days`, from 0 to 1; absent before the first
   * test.
   */
  proven: z.object({ files: z.number(), bytes: z.number(), days: z.number() }).optional(),
  /** Share of the bytes that were read from the bucket and found intact within `verifyDays`, from 0 to 1. */
  verifiedShare: z.number(),
  /** Number of versions that are known to be damaged. Each is a problem. */
  damaged: z.number().int(),
  /** Number of earlier versions that are damaged and whose content was uploaded again as a later version. */
  damagedEarlier: z.number().int(),
  /** Number of bytes that are read from the bucket per day at the current rate, to verify them. */
  bytesPerDay: z.number(),
  /** Number of days in which all content is verified; absent if none is. */
  daysPerPass: z.number().int().optional(),
});

/** Result of version pruning. */
export const keepReportSchema = z.object({
  /** Number of versions removed or, in a dry run, to be removed. */
  versions: z.number().int(),
  bytes: z.number(),
  /** Number of delete markers removed or to be removed, because no version is below them. */
  markers: z.number().int(),
  /**
   * `retained`: versions that a lock, a legal hold or a refusal of the service retains. `needed`: versions that open
   * conflicts or anomalies refer to, or from which the job restores a current version that another client deleted.
   */
  retained: z.number().int(),
  needed: z.number().int(),
  /** Number of versions that other tools wrote. They are never removed. */
  others: z.number().int(),
  /** Number of versions that record no upload time, on a service that may change dates. They are never removed. */
  undated: z.number().int(),
  /** Number of versions that the service failed to remove. `failure` is the reason for the first of them. */
  failed: z.number().int(),
  failure: z.string().optional(),
});

export const jobStatusSchema = z.object({
  name: z.string(),
  folder: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  target: z.string(),
  /** Location of the bucket for display: `embedded store` or the endpoint. */
  targetUrl: z.string(),
  /** Source of the customer key that the job's objects are encrypted with; absent for a job without one. */
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
  /** Reason for the state; absent if it is obvious. */
  reason: z.string().optional(),
  /**
   * Deletes that were mirrored in the ten minutes before the folder was found missing; absent if there were none.
   * `before` is a time before all of them, in milliseconds since 1970.
   */
  passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
  /** Location of the bucket relative to the folder. */
  placement: z.enum(['same disk', 'this machine', 'elsewhere']),
  protection: z.object({
    /** `kept`: the bucket is on the same disk or machine as the folder, which protects only against mistakes. */
    is: z.enum(['protected', 'kept', 'at risk', 'unknown']),
    reason: z.string().optional(),
    /** Command that shows details or that fixes the cause. */
    command: z.string().optional(),
  }),
  /** True if the job watches the folder, and no change is pending, held or refused. */
  inSync: z.boolean(),
  /** Age in milliseconds of the oldest change that is not yet durable in the bucket; 0 when there is none. */
  lagMs: z.number(),
  /** When a sync round of any kind last finished. */
  lastRoundAt: z.number().optional(),
  lastRound: z.string().optional(),
  /** When a round that scanned the whole folder last finished since the job was opened. */
  lastFullRoundAt: z.number().optional(),
  /**
   * When the bucket was last compared with the folder, in milliseconds since 1970; absent for the embedded store, which
   * reports each change.
   */
  comparedAt: z.number().optional(),
  counts: jobCountsSchema,
  /** The first 100 problems; `counts.problems` is the total. */
  problems: z.array(problemSchema.extend({ acknowledged: acknowledgementSchema.optional() })),
  /** Share of the folder that is watched, such as `watching 100 %`, or the share that is polled and the reason. */
  watch: z.string(),
  warnings: z.array(z.string()),
  /** Absent for a job without locks. */
  locks: jobLocksSchema.optional(),
  /** Absent before the job's mirror is open. */
  proof: proofStatusSchema.optional(),
  /** Result of the last version pruning; absent until versions were removed. */
  keep: keepReportSchema.extend({ at: z.number() }).optional(),
  /** Status of the mass-change guard; absent without an anomaly or rejected changes. */
  brake: z
    .object({
      /**
       * When files began to lose their content as in an attack, in milliseconds since 1970; present until the user
       * decides.
       */
      alarmSince: z.number().optional(),
      reason: z.string().optional(),
      /** Number of files that differ from the bucket because the user rejected their new content. */
      rejectedOverwrites: z.number().int(),
    })
    .optional(),
  /** The current rate limit and the time of the next scheduled run; absent for a job with neither. */
  manners: z
    .object({ bytesPerSecond: z.number().optional(), nextRunAt: z.number().optional() })
    .optional(),
  capabilities: capabilitiesSchema.optional(),
  /** Absent while nothing is left to do. */
  progress: progressSchema.optional(),
  /** Number of files that the running scan has found, and about how many it will find if it is not the first scan. */
  scan: z.object({ files: z.number().int(), expected: z.number().int().optional() }).optional(),
});

export const statusSchema = z.object({
  version: z.string(),
  pid: z.number().int(),
  home: z.string(),
  startedAt: z.number(),
  listeners: z.array(listenerSchema),
  /** Health of the embedded store. */
  store: storeHealthSchema,
  /** Free space and size of the file system of the embedded store; absent if they cannot be read. */
  disk: z.object({ freeBytes: z.number(), sizeBytes: z.number() }).optional(),
  /** True for `holdfast s3 serve`, which runs only a store and accepts no jobs. Absent otherwise. */
  storeOnly: z.boolean().optional(),
  jobs: z.array(jobStatusSchema),
  /** Alarms in the state `ALARM`. */
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
  /** Options as in `config.yaml`, which are validated like its content. */
  lock: z.unknown().optional(),
  keep: z.unknown().optional(),
  /** Whether the job takes over its destination if another job, which no longer exists, owns it. */
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
  /** Absolute path of the target folder. */
  to: z.string(),
  files: z.number().int(),
  /** Number of files and links that already existed with equal content. */
  kept: z.number().int(),
  directories: z.number().int(),
  symlinks: z.number().int(),
  /** Number of bytes downloaded. */
  bytes: z.number(),
  /** Number of entries that were in the way or not in the restored tree. They are now in `asideFolder`. */
  aside: z.number().int(),
  asideFolder: z.string().optional(),
  /** Number of local files that were stored as a version before they were replaced, because no version had them. */
  saved: z.number().int(),
  /**
   * Objects that may differ from the versions that existed at the requested time: their number and the first 10 paths.
   */
  early: z.object({ count: z.number().int(), paths: z.array(z.string()) }),
  /**
   * Paths whose owner and mode bits 07000 were not applied, because no proof shows that the job uploaded their version:
   * their number and the first 100 paths.
   */
  unproven: z.object({ count: z.number().int(), paths: z.array(z.string()) }).optional(),
  /** Number of keys whose version at that time is unknown. Each is one of the problems. */
  undated: z.number().int(),
  seconds: z.number(),
  /** The first 1,000 problems; `problemCount` is the total. */
  problems: z.array(problemSchema),
  problemCount: z.number().int(),
});

export type JobStatus = z.infer<typeof jobStatusSchema>;
export type Status = z.infer<typeof statusSchema>;
