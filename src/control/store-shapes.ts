/** Defines the schemas of the embedded store's health, and of the reports of a check and a repair. */

import { z } from 'zod';

const damagedVersionSchema = z.object({
  bucket: z.string(),
  key: z.string(),
  versionId: z.string(),
});

export const damageSchema = z.object({
  reason: z.string(),
  foundAt: z.number(),
  /** The first versions that cannot be read because of the damage. */
  versions: z.array(damagedVersionSchema),
});

export const scrubSchema = z.object({
  startedAt: z.number(),
  /** When the scrub finished. Absent while the scrub is in progress. */
  finishedAt: z.number().optional(),
  blobs: z.number().int(),
  bytes: z.number(),
  damaged: z.number().int(),
  /** The number of inconsistencies in the tables. The scrub checks the tables at its end. */
  inconsistencies: z.number().int(),
});

export const storeHealthSchema = z.object({
  state: z.enum(['in order', 'degraded', 'read-only']),
  /** The reasons for the state, each with a remedy. Empty if the state is `in order`. */
  reasons: z.array(z.string()),
  damagedCount: z.number().int(),
  /** The first 16 damaged blobs. */
  damaged: z.array(damageSchema),
  /** The scrub in progress, or the last scrub. Absent if no scrub was ever started. */
  scrub: scrubSchema.optional(),
  /**
   * How far the clock is ahead of the trusted time, in milliseconds. Locks are evaluated by the trusted time. 0
   * if the clock is trusted.
   */
  clockAheadMs: z.number(),
});

export const storeProblemSchema = z.object({
  code: z.string(),
  subject: z.string(),
  message: z.string(),
  /** How a repair fixes the problem. Absent if the data must be restored from a backup. */
  repair: z.string().optional(),
  versions: z.array(damagedVersionSchema).optional(),
});

export const storeCheckSchema = z.object({
  /** The first 100 problems of each code. */
  problems: z.array(storeProblemSchema),
  /** The number of problems of each code. */
  counts: z.record(z.string(), z.number().int()),
  versions: z.number().int(),
  blobs: z.number().int(),
  bytes: z.number(),
  /** Whether the check read every byte of the store. */
  deep: z.boolean(),
  /** The number of files that a crash left behind. The next garbage collection removes them. */
  leftovers: z.object({
    temporaryFiles: z.number().int(),
    garbage: z.number().int(),
    orphans: z.number().int(),
  }),
});

export const storeRepairSchema = z.object({
  done: z.array(z.object({ code: z.string(), subject: z.string(), did: z.string() })),
  after: storeCheckSchema,
});

export type StoreHealth = z.infer<typeof storeHealthSchema>;
