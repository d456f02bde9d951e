/** Declares the control methods on the current transfers and throughput of jobs. */

import { z } from 'zod';

export const transferRowSchema = z.object({
  /** Path relative to the job's folder; a folder's path ends in `/`. */
  path: z.string(),
  kind: z.enum(['put', 'copy', 'delete', 'get']),
  /** Size of the object; absent if unknown. */
  sizeBytes: z.number().optional(),
  sentBytes: z.number(),
  startedAt: z.number(),
});

/** A file that is transferred or read now. */
export const inFlightSchema = z.object({
  path: z.string(),
  bytes: z.number(),
  sizeBytes: z.number(),
});

/** Progress of an operation. `bytes` includes the files in flight. */
export const amountsSchema = z.object({
  files: z.number().int(),
  bytes: z.number(),
  totalFiles: z.number().int().optional(),
  totalBytes: z.number().optional(),
  /** The largest file in flight. */
  current: inFlightSchema.optional(),
});

/** Progress of a job with the differences that it knows. */
export const progressSchema = z.object({
  /** Share of the job's bytes that is in the bucket, from 0 to 1. */
  share: z.number(),
  remainingFiles: z.number().int(),
  remainingBytes: z.number(),
  /** Uploads and downloads, as an average of the last five seconds. */
  bytesPerSecond: z.number(),
  operationsPerSecond: z.number(),
  /**
   * Estimated remaining time in milliseconds. Absent while nothing is transferred, and while a scan may find more
   * differences; `share` may then decrease, too.
   */
  etaMs: z.number().optional(),
});

/** The oldest transfers in progress, and the number of all transfers in progress. */
export const transfersSchema = z.object({
  transfers: z.array(transferRowSchema),
  count: z.number().int(),
});

const ratesShape = { bytesPerSecond: z.number(), operationsPerSecond: z.number() };

/** Values of consecutive periods, oldest first. The first period begins at `from`, in milliseconds since 1970. */
export const recentSchema = z.object({
  from: z.number(),
  stepMs: z.number(),
  /** End of the last complete minute: the last period has values up to it. */
  to: z.number(),
  /** Null for a period in which the daemon did not run. */
  values: z.array(z.number().nullable()),
});

/** 60 periods of a minute, 96 of 15 minutes, 84 of two hours, or 90 of eight hours. */
export const recentSpanSchema = z.enum(['hour', 'day', 'week', 'month']);

export const THROUGHPUT_METHODS = {
  /** Returns the transfers that a job has in progress. */
  'jobs.transfers': {
    summary: 'return the transfers that a job has in progress',
    danger: 'reads',
    params: z.object({ name: z.string() }),
    result: transfersSchema,
  },
  /** Returns the throughput of all jobs in 60 samples of one second each, oldest first, and the totals of today. */
  throughput: {
    summary: 'return the throughput of all jobs in the last minute, and the totals of today',
    danger: 'reads',

    params: z.object({}),
    result: z.object({
      samples: z.array(z.object({ at: z.number(), ...ratesShape })),
      /** Average of the last five seconds. */
      jobs: z.array(z.object({ name: z.string(), ...ratesShape })),
      today: z.object({
        /** Local midnight or the start of the daemon, whichever is later, in milliseconds since 1970. */
        since: z.number(),
        /** Number of bytes uploaded and downloaded. */
        bytes: z.number(),
        versions: z.number().int(),
        /**
         * Number of activity events with the level `error` or `warn`, except those about conflicts and held changes.
         */
        errors: z.number().int(),
      }),
    }),
  },
  /**
   * Returns recent values of a job, or of all jobs without `job`. `bytes`, `operations` and `versions` are sums of what
   * was transferred or created in the period. `lag` is the longest lag in the period, in milliseconds.
   */
  'throughput.series': {
    summary: 'return throughput, versions or lag over an hour, a day, a week or 30 days',
    danger: 'reads',

    params: z.object({
      metric: z.enum(['bytes', 'operations', 'versions', 'lag']),
      span: recentSpanSchema,
      job: z.string().optional(),
    }),
    result: recentSchema,
  },
} as const;
