/** What the control protocol's messages are made of: a job and how it stands, an object, a version. */

import { z } from 'zod';

import { alarmSchema } from './methods/monitoring.ts';
import { progressSchema } from './methods/throughput.ts';
import { storeHealthSchema } from './store-shapes.ts';

export const problemSchema = z.object({ path: z.string(), code: z.string(), message: z.string() });

/** A problem that the user knows of, which is no risk until then. */
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
  /** Paths known to differ from the bucket and not yet dealt with. */
  pending: z.number().int(),
  pendingBytes: z.number(),
  /** Since the daemon started: versions made, bytes sent, delete markers made. */
  uploadedVersions: z.number().int(),
  uploadedBytes: z.number(),
  deleted: z.number().int(),
  conflicts: z.number().int(),
  drifted: z.number().int(),
  foreign: z.number().int(),
  /** Known, and deliberately not done until the user says so. */
  held: z.number().int(),
  /** Of these, those that are among `conflicts`, too. */
  heldConflicts: z.number().int().optional(),
  problems: z.number().int(),
  /** Problems that the user acknowledged, which are not among `problems`. Absent for none. */
  acknowledged: z.number().int().optional(),
  /** Sockets, pipes and devices: they have no content to back up. Absent for none. */
  skipped: z.number().int().optional(),
});

const answerSchema = z.enum(['honoured', 'unquoted', 'refused', 'passed over']);
const writeAnswersSchema = z.object({ ifMatch: answerSchema, ifNoneMatch: answerSchema });
const lockAnswerSchema = z.enum(['kept', 'dropped']);

/** What the service makes of the conditions of writes, and what so keeps writes of others from being lost. */
export const capabilitiesSchema = z.object({
  bucket: z.enum(['unversioned', 'versioned', 'object-lock']),
  /** `proof`: what was covered unknowingly is found afterwards, by the versions. */
  guarding: z.enum(['conditions', 'proof', 'unguarded']),
  /** Absent for the embedded store, which honours all and is not asked. */
  askedAt: z.number().optional(),
  answers: z.object({
    put: writeAnswersSchema,
    complete: writeAnswersSchema,
    copy: writeAnswersSchema,
    delete: writeAnswersSchema.pick({ ifMatch: true }),
    /** Whether locks that come with an upload in parts, or a copy, are there afterwards. */
    locksOfUploads: lockAnswerSchema.optional(),
    locksOfCopies: lockAnswerSchema.optional(),
    /** Whether a version keeps its date when its lock, tags or ACL change. */
    versionDates: z.enum(['kept', 'changed']).optional(),
  }),
});

export const jobLocksSchema = z.object({
  /** Current versions that the job keeps locked, and their bytes. */
  locked: z.number().int(),
  bytes: z.number(),
  /** To be locked, and not. */
  unlocked: z.number().int(),
  /** When the first of these locks ends, and in how many whole days. */
  earliestUntil: z.number().optional(),
  firstLapseDays: z.number().int().optional(),
  /** To be renewed now; 10,000 stand for as many or more. */
  renewalsDue: z.number().int(),
  /** Locks that could not be looked at or extended, and are tried again. */
  failing: z.number().int(),
  /** Versions whose renewal the user ended. */
  released: z.number().int(),
  /** Changes that wait for `minVersionInterval`, and until when the first does. */
  deferred: z.number().int(),
  deferredUntil: z.number().optional(),
  /** Versions that would be removed, but for a lock, and when the first may go. */
  retained: z.number().int(),
  retainedUntil: z.number().optional(),
  /** Whether locks may be extended, as it was tried within a day; and why not. */
  renewalRight: z.enum(['unknown', 'proven', 'refused']),
  reason: z.string().optional(),
});

/** Whether what was mirrored can be got back. */
const proofStatusSchema = z.object({
  /** When a restore test last found everything that it tested as it was stored. */
  lastProvenRestorableAt: z.number().optional(),
  lastDrillAt: z.number().optional(),
  /** Of the last drill. */
  drillFailures: z.number().int(),
  /** 0 to 1 each: of files and bytes, what restore tests proved within `days`; absent before the first test. */
  proven: z.object({ files: z.number(), bytes: z.number(), days: z.number() }).optional(),
  /** 0 to 1, by bytes: read again and found sound within `verifyDays`. */
  verifiedShare: z.number(),
  /** Versions that are known to be damaged; each is a problem. */
  damaged: z.number().int(),
  /** Earlier versions that are damaged, whose content was sent again as a later version. */
  damagedEarlier: z.number().int(),
  /** What reading again costs at the present pace. */
  bytesPerDay: z.number(),
  /** In how many days all content is read; absent when none is. */
  daysPerPass: z.number().int().optional(),
});

/** What became of versions beyond what a job keeps. */
export const keepReportSchema = z.object({
  /** Removed, or to be removed. */
  versions: z.number().int(),
  bytes: z.number(),
  /** Delete markers with nothing below them, likewise. */
  markers: z.number().int(),
  /** Kept by a lock, a legal hold or a refusal; by a conflict, signs of an attack or a head to be brought back. */
  retained: z.number().int(),
  needed: z.number().int(),
  /** Of other tools. */
  others: z.number().int(),
  /** Whose dates the service may have changed, and that do not carry their own time. */
  undated: z.number().int(),
  /** Tried and not removed, and why the first of them. */
  failed: z.number().int(),
  failure: z.string().optional(),
});

export const jobStatusSchema = z.object({
  name: z.string(),
  folder: z.string(),
  bucket: z.string(),
  prefix: z.string(),
  target: z.string(),
  /** Where the bucket is, for people: `embedded store` or the endpoint. */
  targetUrl: z.string(),
  /** Where it has the key that its objects are encrypted under; absent for a job without one. */
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
  /** Why it is in that state, where that is not obvious. */
  reason: z.string().optional(),
  /** Of a folder that is missing: deletes in the ten minutes before; at `before` none of them was done. */
  passed: z.object({ before: z.number(), deletes: z.number().int() }).optional(),
  /** Where the bucket is, seen from the folder. */
  placement: z.enum(['same disk', 'this machine', 'elsewhere']),
  protection: z.object({
    /** `kept`: on the same disk or machine, which protects against mistakes only. */
    is: z.enum(['protected', 'kept', 'at risk', 'unknown']),
    reason: z.string().optional(),
    /** Shows more, or helps. */
    command: z.string().optional(),
  }),
  /** Watching, nothing pending. */
  inSync: z.boolean(),
  /** Age in milliseconds of the oldest change that is not yet durable in the bucket; 0 when there is none. */
  lagMs: z.number(),
  lastRoundAt: z.number().optional(),
  lastRound: z.string().optional(),
  /** When the bucket was last compared with the folder, milliseconds since 1970; absent for the embedded store, which reports each change. */
  comparedAt: z.number().optional(),
  counts: jobCountsSchema,
  /** The first 100; `counts.problems` has the number of all. */
  problems: z.array(problemSchema.extend({ acknowledged: acknowledgementSchema.optional() })),
  /** `watching 100 %`, or what part is polled and why. */
  watch: z.string(),
  warnings: z.array(z.string()),
  /** Absent for a job that locks nothing. */
  locks: jobLocksSchema.optional(),
  /** Absent before the job's mirror is open. */
  proof: proofStatusSchema.optional(),
  /** Of the last time that old versions were removed. */
  keep: keepReportSchema.extend({ at: z.number() }).optional(),
  /** Absent when the brake has nothing to say but what it holds. */
  brake: z
    .object({
      /** Since when files lose their content in the way of an attack, until the user has decided. */
      alarmSince: z.number().optional(),
      reason: z.string().optional(),
      /** Files that differ from the bucket, since the user rejected their new content. */
      rejectedOverwrites: z.number().int(),
    })
    .optional(),
  /** Absent for a job that has neither a limit now nor a schedule. */
  manners: z
    .object({ bytesPerSecond: z.number().optional(), nextRunAt: z.number().optional() })
    .optional(),
  capabilities: capabilitiesSchema.optional(),
  /** Absent while nothing is left to do. */
  progress: progressSchema.optional(),
});

export const statusSchema = z.object({
  version: z.string(),
  pid: z.number().int(),
  home: z.string(),
  startedAt: z.number(),
  listeners: z.array(listenerSchema),
  /** Of the embedded store. */
  store: storeHealthSchema,
  /** Of the file system that it is on. */
  disk: z.object({ freeBytes: z.number(), sizeBytes: z.number() }).optional(),
  /** `holdfast s3 serve`: a store alone, which takes no jobs. Absent otherwise. */
  storeOnly: z.boolean().optional(),
  jobs: z.array(jobStatusSchema),
  /** Those in the state ALARM. */
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
  /** The place is this job's even if another one claimed it, whose job is gone for good. */
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
  /** Absolute. */
  to: z.string(),
  files: z.number().int(),
  /** Files and links that were there already, equal. */
  kept: z.number().int(),
  directories: z.number().int(),
  symlinks: z.number().int(),
  /** Fetched. */
  bytes: z.number(),
  /** What stood in the way, or was later: it lies in `asideFolder` now. */
  aside: z.number().int(),
  asideFolder: z.string().optional(),
  /** Objects that may not be what was there at the time that was asked for: the first 10. */
  early: z.object({ count: z.number().int(), paths: z.array(z.string()) }),
  /** Paths whose owner or mode bits 07000 were not applied, as no proof shows that the job uploaded their version: the first 100. */
  unproven: z.object({ count: z.number().int(), paths: z.array(z.string()) }).optional(),
  /** Keys of which it is not known what they were at that time: each is one of the problems. */
  undated: z.number().int(),
  seconds: z.number(),
  /** The first 1,000; `problemCount` has the number of all. */
  problems: z.array(problemSchema),
  problemCount: z.number().int(),
});

export type JobStatus = z.infer<typeof jobStatusSchema>;
export type Status = z.infer<typeof statusSchema>;
