/** Methods on what jobs move now. */

import { z } from 'zod';

export const transferRowSchema = z.object({
  /** Below the job's folder; that of a folder's object ends in `/`. */
  path: z.string(),
  kind: z.enum(['put', 'copy', 'delete', 'get']),
  /** Absent where it is not known. */
  sizeBytes: z.number().optional(),
  sentBytes: z.number(),
  startedAt: z.number(),
});

/** How far a job is with what it knows to differ. */
export const progressSchema = z.object({
  /** Of its bytes, 0 to 1: what is in the bucket. */
  share: z.number(),
  remainingFiles: z.number().int(),
  remainingBytes: z.number(),
  /** Sent and fetched, of the last five seconds. */
  bytesPerSecond: z.number(),
  operationsPerSecond: z.number(),
  /** Absent while nothing moves, and while more may be found: then `share` may fall, too. */
  etaMs: z.number().optional(),
});

/** The oldest transfers, and the number of all. */
export const transfersSchema = z.object({
  transfers: z.array(transferRowSchema),
  count: z.number().int(),
});

const ratesShape = { bytesPerSecond: z.number(), operationsPerSecond: z.number() };

export const THROUGHPUT_METHODS = {
  /** What a job moves at this moment. */
  'jobs.transfers': { params: z.object({ name: z.string() }), result: transfersSchema },
  /** Of all jobs: 60 samples of a second each, the oldest first; and the sums of today. */
  throughput: {
    params: z.object({}),
    result: z.object({
      samples: z.array(z.object({ at: z.number(), ...ratesShape })),
      /** Of the last five seconds. */
      jobs: z.array(z.object({ name: z.string(), ...ratesShape })),
      today: z.object({
        /** Midnight here, or the start of the daemon. */
        since: z.number(),
        /** Sent and fetched. */
        bytes: z.number(),
        versions: z.number().int(),
        /** What was told as an error, or as a warning that is no conflict and nothing held. */
        errors: z.number().int(),
      }),
    }),
  },
} as const;
