/** Methods on paths that a job found changed on both sides. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { subjectSchema } from './restore.ts';

/** As many patterns as anybody types; each is compiled. */
const MAX_PATTERNS = 1000;
/** A page of a list whose rows are all marked. */
const MAX_PATHS = 1000;
/** More of a text is not compared line by line. */
const MAX_PREVIEW_BYTES = 1024 * 1024;
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
  /** The conflict by whose answer these bytes gave way: they are kept, and no conflict of their own. */
  gaveWayTo: z.string().optional(),
  /** The other side, which did not give way, as the mirror saw it last. */
  stands: z.object({ sizeBytes: z.number(), modifiedAt: z.number() }).optional(),
});

const sideSchema = z.object({
  /** `current`: in the bucket. `kept`: in the bucket too, as an older version or under a key of its own. */
  where: z.enum(['folder', 'current', 'kept']),
  /** Nothing is there now. */
  missing: z.literal(true).optional(),
  kind: z.enum(['file', 'directory', 'symlink']).optional(),
  sizeBytes: z.number().optional(),
  modifiedAt: z.number().optional(),
  /** Of a file in the folder: where it is small. */
  sha256: z.string().optional(),
  etag: z.string().optional(),
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  owner: z.string().optional(),
  /** Whether a mirror made it, of this job or of another. */
  byMirror: z.boolean().optional(),
  retention: retentionSchema.optional(),
  legalHold: z.boolean().optional(),
  /** Its first bytes, where they were asked for. */
  stream: z.string().optional(),
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
  /** Both sides of a conflict as they are now, with streams of their first `previewBytes`. */
  'conflicts.sides': {
    params: z.object({
      job: z.string(),
      path: z.string(),
      /** Empty for one that is held. */
      id: z.string(),
      previewBytes: z.number().int().min(1).max(MAX_PREVIEW_BYTES).optional(),
    }),
    result: z.object({ conflict: conflictSchema, local: sideSchema, remote: sideSchema }),
  },
  /** Noted at once, and done by a full round that it waits for. Without `paths` and `patterns`: all. */
  'conflicts.resolve': {
    params: z.object({
      job: z.string().optional(),
      keep,
      patterns: z.array(z.string().max(MAX_PATTERN_CHARACTERS)).max(MAX_PATTERNS).optional(),
      /** In place of patterns: as they are, whatever a pattern would make of them. */
      paths: z.array(z.string()).max(MAX_PATHS).optional(),
      dryRun: z.boolean(),
    }),
    result: z.object({
      job: z.string(),
      matched: z.number().int(),
      /** What is done with them, or would be: all stays as it is, the file goes over it, and the other way round, both. */
      counts: z.object({
        dismiss: z.number().int(),
        cover: z.number().int(),
        replace: z.number().int(),
        beside: z.number().int(),
      }),
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
