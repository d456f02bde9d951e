/** How the embedded store stands: its health, what a check found, what a repair did. */

import { z } from 'zod';

const damagedVersionSchema = z.object({
  bucket: z.string(),
  key: z.string(),
  versionId: z.string(),
});

export const damageSchema = z.object({
  reason: z.string(),
  foundAt: z.number(),
  /** The first versions that cannot be read because of it. */
  versions: z.array(damagedVersionSchema),
});

export const scrubSchema = z.object({
  startedAt: z.number(),
  /** Absent while it is under way. */
  finishedAt: z.number().optional(),
  blobs: z.number().int(),
  bytes: z.number(),
  damaged: z.number().int(),
  /** Breaches of the rules between the tables, found at its end. */
  inconsistencies: z.number().int(),
});

export const storeHealthSchema = z.object({
  state: z.enum(['in order', 'degraded', 'read-only']),
  /** Why, and what to do. */
  reasons: z.array(z.string()),
  damagedCount: z.number().int(),
  /** The first 16. */
  damaged: z.array(damageSchema),
  /** The one under way or the last one. */
  scrub: scrubSchema.optional(),
  /** How far the clock is ahead of the time by which locks are judged; 0 when it is believed. */
  clockAheadMs: z.number(),
});

export const storeProblemSchema = z.object({
  code: z.string(),
  subject: z.string(),
  message: z.string(),
  /** What a repair does about it; absent where only a backup helps. */
  repair: z.string().optional(),
  versions: z.array(damagedVersionSchema).optional(),
});

export const storeCheckSchema = z.object({
  /** The first 100 of each code. */
  problems: z.array(storeProblemSchema),
  /** How many there are of each code. */
  counts: z.record(z.string(), z.number().int()),
  versions: z.number().int(),
  blobs: z.number().int(),
  bytes: z.number(),
  /** Whether every byte was read. */
  deep: z.boolean(),
  /** What a crash left behind, and the next sweep clears. */
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
