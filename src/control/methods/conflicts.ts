/** Methods on paths that a job found changed on both sides. */

import { z } from 'zod';

import { subjectSchema } from './restore.ts';

/** As many patterns as anybody types; each is compiled. */
const MAX_PATTERNS = 1000;
const MAX_PATTERN_CHARACTERS = 4096;

const keep = z.enum(['local', 'remote', 'both']);

export const conflictSchema = z.object({
  /** Empty for one that is held. */
  id: z.string(),
  path: z.string(),
  /** `held`: nothing was done. `open`: one side gave way, and it waits for the user. */
  state: z.enum(['held', 'open', 'resolved']),
  /** Whose bytes these are: what the bucket held, or the file of the folder. */
  side: z.enum(['bucket', 'folder']),
  at: z.number(),
  etag: z.string(),
  /** Where the bytes are: a version of the key, or a key of their own below the job's prefix. */
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  retainUntil: z.number().optional(),
  resolution: keep.optional(),
  resolvedAt: z.number().optional(),
  /** What was asked for, and is not done yet. */
  wish: keep.optional(),
});

export const CONFLICT_METHODS = {
  /** In the byte order of the paths; `all`: those that are resolved, too. */
  'conflicts.list': {
    params: z.object({
      job: z.string(),
      after: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
      all: z.boolean(),
    }),
    result: z.object({ conflicts: z.array(conflictSchema), next: z.string().optional() }),
  },
  /** Of one path of a job's folder, the newest first, those that are resolved, too. */
  'conflicts.show': {
    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      conflicts: z.array(conflictSchema),
    }),
  },
  /** Noted at once, and done by a full round that it waits for. Without `patterns`: all. */
  'conflicts.resolve': {
    params: z.object({
      job: z.string().optional(),
      keep,
      patterns: z.array(z.string().max(MAX_PATTERN_CHARACTERS)).max(MAX_PATTERNS).optional(),
      dryRun: z.boolean(),
    }),
    result: z.object({
      job: z.string(),
      matched: z.number().int(),
      /** Of a dry run: what would be done, the first hundred. */
      steps: z.array(
        z.object({ path: z.string(), does: z.enum(['dismiss', 'cover', 'replace', 'beside']) }),
      ),
      resolved: z.number().int(),
      /** Not done yet, the first hundred. */
      waiting: z.array(z.object({ path: z.string(), why: z.string() })),
    }),
  },
} as const;
