/** Defines the control methods for the current transfers and throughput of jobs. */

import { z } from 'zod';

export const transferRowSchema = z.object({
  /** The path relative to the job's folder. The path of a folder ends in `/`. */
  path: z.string(),
  kind: z.enum(['put', 'copy', 'delete', 'get']),
  /** The size of the object. Absent if unknown. */
  sizeBytes: z.number().optional(),
  sentBytes: z.number(),
  startedAt: z.number(),
});

/** A file that is being transferred or read. */
export const inFlightSchema = z.object({
  path: z.string(),
  bytes: z.number(),
  sizeBytes: z.number(),
});

/** The progress of an operation. `bytes` includes the files that are being transferred or read. */
export const amountsSchema = z.object({
  files: z.number().int(),
  bytes: z.number(),
  totalFiles: z.number().int().optional(),
  totalBytes: z.number().optional(),
  /** The largest file that is being transferred or read. */
  current: inFlightSchema.optional(),
});

/** The progress of a job in mirroring the differences that are known so far. */
export const progressSchema = z.object({
  /** The share of the job's bytes that are in the bucket, from 0 to 1. */
  share: z.number(),
  remainingFiles: z.number().int(),
  remainingBytes: z.number(),
  /** The rate of uploads, as an average over the last five seconds. */
  bytesPerSecond: z.number(),
  operationsPerSecond: z.number(),
  /**
   * The estimated remaining time in milliseconds. Absent while nothing is transferred. Also absent while a scan may
   * find more differences. `share` may decrease during a scan.
   */
  etaMs: z.number().optional(),
});

/** The oldest transfers in progress, and the number of all transfers in progress. */
export const transfersSchema = z.object({
  transfers: z.array(transferRowSchema),
  count: z.number().int(),
});

const ratesShape = { bytesPerSecond: z.number(), operationsPerSecond: z.number() };

/** The values of consecutive periods, oldest first. The first period begins at `from`, in milliseconds since 1970. */
export const recentSchema = z.object({
  from: z.number(),
  stepMs: z.number(),
  /** The end of the last complete minute. The last period contains values up to this time. */
  to: z.number(),
  /** The values of the periods. Null for a period in which the daemon did not run. */
  values: z.array(z.number().nullable()),
});

/**
 * The time span. An hour has 60 periods of one minute, a day 96 of 15 minutes, a week 84 of two hours, and a month 90
 * of eight hours.
 */
export const recentSpanSchema = z.enum(['hour', 'day', 'week', 'month']);

export const THROUGHPUT_METHODS = {
  /** Returns the transfers of a job that are in progress. */
  'jobs.transfers': {
    summary: 'return the transfers that a job has in progress',
    danger: 'reads',
    params: z.object({ name: z.string() }),
    result: transfersSchema,
  },
  /** Returns the throughput of all jobs as 60 samples of one second each, oldest first, and today's totals. */
  throughput: {
    summary: 'return the throughput of all jobs in the last minute, and the totals of today',
    danger: 'reads',

    params: z.object({}),
    result: z.object({
      samples: z.array(z.object({ at: z.number(), ...ratesShape })),
      /** The rates of each job, as an average over the last five seconds. */
      jobs: z.array(z.object({ name: z.string(), ...ratesShape })),
      today: z.object({
        /**
         * The start of today's totals: local midnight or the start of the daemon, whichever is later. In milliseconds
         * since 1970.
         */
        since: z.number(),
        /** The number of bytes uploaded. */
        bytes: z.number(),
        /** The number of bytes downloaded, for example by restore tests. */
        readBytes: z.number(),
        versions: z.number().int(),
        /**
         * The number of activity events with the level `error` or `warn`, except events about conflicts and held
         * changes.
         */
        errors: z.number().int(),
      }),
    }),
  },
  /**
   * Returns recent values of a job. Without `job`, returns the values of all jobs together. `bytes`, `operations` and
   * `versions` are sums of what was transferred or created in the period. `lag` is the longest lag in the period, in
   * milliseconds.
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
