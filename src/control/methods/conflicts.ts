/**
 * Defines the control methods for conflicts. A conflict is a path that changed both in the job's folder and in the
 * bucket.
 */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { subjectSchema } from './restore.ts';

/** The maximum number of patterns in a request. It is limited because each pattern is compiled. */
const MAX_PATTERNS = 1000;
/**
 * The maximum number of paths in a request. It is the number of rows on a page of the list, so that the user can select
 * a whole page.
 */
const MAX_PATHS = 1000;
/** The maximum size of a preview in bytes. Longer texts are not compared line by line. */
const MAX_PREVIEW_BYTES = 1024 * 1024;
const MAX_PATTERN_CHARACTERS = 4096;

const keep = z.enum(['local', 'remote', 'both']);

export const conflictSchema = z.object({
  /** The ID of the conflict. Empty if the conflict is held. */
  id: z.string(),
  path: z.string(),
  /**
   * The state of the conflict. `held`: neither the file nor the object was changed. `open`: the file or the object was
   * superseded, and the user has not decided yet. `resolved`: the user's decision was carried out.
   */
  state: z.enum(['held', 'open', 'resolved']),
  /** Whether the superseded or held content comes from the object in the bucket or from the file in the folder. */
  side: z.enum(['bucket', 'folder']),
  at: z.number(),
  etag: z.string(),
  /**
   * The location of the content. It is either a version of the path's own key, or a saved copy under the key `savedAs`
   * (relative to the job's prefix).
   */
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  retainUntil: z.number().optional(),
  resolution: keep.optional(),
  resolvedAt: z.number().optional(),
  /** The resolution that the user requested. Absent after it was carried out. */
  wish: keep.optional(),
  /**
   * The ID of another conflict of the same path, whose resolution superseded this content. The content is still stored,
   * but this record is no longer a conflict.
   */
  gaveWayTo: z.string().optional(),
  /**
   * The content that superseded the other, from the folder or the bucket, as the job last read it. `modifiedAt` is in
   * milliseconds since 1970.
   */
  stands: z.object({ sizeBytes: z.number(), modifiedAt: z.number() }).optional(),
});

const sideSchema = z.object({
  /**
   * Where the content is now. `folder`: the file in the job's folder. `current`: the current version in the bucket.
   * `kept`: an older version in the bucket, or a copy under another key.
   */
  where: z.enum(['folder', 'current', 'kept']),
  /** True if no file or object exists at that location now. */
  missing: z.literal(true).optional(),
  kind: z.enum(['file', 'directory', 'symlink']).optional(),
  sizeBytes: z.number().optional(),
  modifiedAt: z.number().optional(),
  /** The SHA-256 of the content in lower-case hex. For a file in the folder, present only if the file is small. */
  sha256: z.string().optional(),
  etag: z.string().optional(),
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  owner: z.string().optional(),
  /** Whether this job uploaded the object. Absent for a file. */
  byMirror: z.boolean().optional(),
  retention: retentionSchema.optional(),
  legalHold: z.boolean().optional(),
  /**
   * A stream with the first bytes of the content. Absent if no preview was requested or the content cannot be read.
   */
  stream: z.string().optional(),
});

export const CONFLICT_METHODS = {
  /** Lists conflicts in the byte order of their paths. With `all`, the list includes resolved conflicts. */
  'conflicts.list': {
    summary: 'list the conflicts of a job',
    danger: 'reads',

    params: z.object({
      job: z.string(),
      after: z.string().optional(),
      limit: z.number().int().min(1).max(1000),
      all: z.boolean(),
    }),
    result: z.object({ conflicts: z.array(conflictSchema), next: z.string().optional() }),
  },
  /** Returns all conflicts of one path, newest first, including resolved conflicts. */
  'conflicts.show': {
    summary: 'return all conflicts of a path, newest first',
    danger: 'reads',

    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string(),
      conflicts: z.array(conflictSchema),
    }),
  },
  /**
   * Describes the file and the object of a conflict as they are now. With `previewBytes`, the file and the object each
   * have a stream with their first `previewBytes` bytes.
   */
  'conflicts.sides': {
    summary: 'describe both sides of a conflict',
    danger: 'reads',

    params: z.object({
      job: z.string(),
      path: z.string(),
      /** The ID of the conflict. Empty if the conflict is held. */
      id: z.string(),
      previewBytes: z.number().int().min(1).max(MAX_PREVIEW_BYTES).optional(),
    }),
    result: z.object({ conflict: conflictSchema, local: sideSchema, remote: sideSchema }),
  },
  /**
   * Stores the user's decision immediately, and waits for a full sync round that carries it out. Without `paths` and
   * `patterns`, resolves all conflicts. A dry run changes nothing.
   */
  'conflicts.resolve': {
    summary: 'resolve conflicts',
    danger: 'destroys',

    params: z.object({
      job: z.string().optional(),
      keep,
      patterns: z.array(z.string().max(MAX_PATTERN_CHARACTERS)).max(MAX_PATTERNS).optional(),
      /** The exact paths of the conflicts to resolve, as an alternative to patterns. */
      paths: z.array(z.string()).max(MAX_PATHS).optional(),
      dryRun: z.boolean(),
    }),
    result: z.object({
      job: z.string(),
      matched: z.number().int(),
      /**
       * The number of conflicts for each kind of step. `dismiss` changes nothing. `cover` uploads the file over the
       * object. `replace` downloads the content over the file. `beside` downloads the content to a new file next to
       * the existing file.
       */
      counts: z.object({
        dismiss: z.number().int(),
        cover: z.number().int(),
        replace: z.number().int(),
        beside: z.number().int(),
      }),
      /** The first 100 steps of a dry run. Empty if the request is not a dry run. */
      steps: z.array(
        z.object({ path: z.string(), does: z.enum(['dismiss', 'cover', 'replace', 'beside']) }),
      ),
      resolved: z.number().int(),
      /** The first 100 conflicts that are not resolved yet, each with the reason. */
      waiting: z.array(z.object({ path: z.string(), why: z.string() })),
    }),
  },
} as const;
