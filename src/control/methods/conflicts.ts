/** Declares the control methods on conflicts: paths that changed both in a job's folder and in the bucket. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { subjectSchema } from './restore.ts';

/** Maximum number of patterns in a request. Each pattern is compiled. */
const MAX_PATTERNS = 1000;
/** Maximum number of paths in a request: one page of a list in which every row is selected. */
const MAX_PATHS = 1000;
/** Maximum size of a preview in bytes. Longer texts are not compared line by line. */
const MAX_PREVIEW_BYTES = 1024 * 1024;
const MAX_PATTERN_CHARACTERS = 4096;

const keep = z.enum(['local', 'remote', 'both']);

export const conflictSchema = z.object({
  /** ID of the conflict; empty if the conflict is held. */
  id: z.string(),
  path: z.string(),
  /**
   * `held`: neither side was changed. `open`: one side was superseded, and the user has not decided yet. `resolved`:
   * the user's decision was carried out.
   */
  state: z.enum(['held', 'open', 'resolved']),
  /** Origin of the superseded or held content: the object in the bucket, or the file in the folder. */
  side: z.enum(['bucket', 'folder']),
  at: z.number(),
  etag: z.string(),
  /**
   * Location of the content: a version of the path's own key, or a saved copy under the key `savedAs`, relative to the
   * job's prefix.
   */
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  retainUntil: z.number().optional(),
  resolution: keep.optional(),
  resolvedAt: z.number().optional(),
  /** The resolution that the user requested; absent once it was carried out. */
  wish: keep.optional(),
  /**
   * ID of the conflict whose resolution superseded this content. The content is kept, but it is not a conflict of its
   * own.
   */
  gaveWayTo: z.string().optional(),
  /** The side that was not superseded, as the job last saw it. `modifiedAt` is in milliseconds since 1970. */
  stands: z.object({ sizeBytes: z.number(), modifiedAt: z.number() }).optional(),
});

const sideSchema = z.object({
  /**
   * Location of the content. `folder`: the file in the job's folder. `current`: the current version in the bucket.
   * `kept`: an older version in the bucket, or a copy saved under another key.
   */
  where: z.enum(['folder', 'current', 'kept']),
  /** True if no file or object exists there now. */
  missing: z.literal(true).optional(),
  kind: z.enum(['file', 'directory', 'symlink']).optional(),
  sizeBytes: z.number().optional(),
  modifiedAt: z.number().optional(),
  /** SHA-256 of the content in lower-case hex. For a file in the folder, present only if the file is small. */
  sha256: z.string().optional(),
  etag: z.string().optional(),
  versionId: z.string().optional(),
  savedAs: z.string().optional(),
  owner: z.string().optional(),
  /** Whether this job uploaded the object; absent for a file. */
  byMirror: z.boolean().optional(),
  retention: retentionSchema.optional(),
  legalHold: z.boolean().optional(),
  /** Stream with the first bytes of the content; absent if no preview was requested or the content cannot be read. */
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
  /** Returns all conflicts of one path, newest first, including resolved ones. */
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
   * Describes both sides of a conflict as they are now. With `previewBytes`, each side has a stream of its first
   * `previewBytes` bytes.
   */
  'conflicts.sides': {
    summary: 'describe both sides of a conflict',
    danger: 'reads',

    params: z.object({
      job: z.string(),
      path: z.string(),
      /** ID of the conflict; empty if the conflict is held. */
      id: z.string(),
      previewBytes: z.number().int().min(1).max(MAX_PREVIEW_BYTES).optional(),
    }),
    result: z.object({ conflict: conflictSchema, local: sideSchema, remote: sideSchema }),
  },
  /**
   * Stores the user's decision at once, and waits for a full sync round that carries it out. Without `paths` and
   * `patterns`, resolves all conflicts. A dry run changes nothing.
   */
  'conflicts.resolve': {
    summary: 'resolve conflicts',
    danger: 'destroys',

    params: z.object({
      job: z.string().optional(),
      keep,
      patterns: z.array(z.string().max(MAX_PATTERN_CHARACTERS)).max(MAX_PATTERNS).optional(),
      /** Exact paths of the conflicts to resolve, instead of patterns. */
      paths: z.array(z.string()).max(MAX_PATHS).optional(),
      dryRun: z.boolean(),
    }),
    result: z.object({
      job: z.string(),
      matched: z.number().int(),
      /**
       * Number of conflicts per step. `dismiss` changes nothing, `cover` uploads the file over the object, `replace`
       * downloads the content over the file, and `beside` downloads the content to a new file next to it.
       */
      counts: z.object({
        dismiss: z.number().int(),
        cover: z.number().int(),
        replace: z.number().int(),
        beside: z.number().int(),
      }),
      /** The first 100 steps of a dry run; empty otherwise. */
      steps: z.array(
        z.object({ path: z.string(), does: z.enum(['dismiss', 'cover', 'replace', 'beside']) }),
      ),
      resolved: z.number().int(),
      /** The first 100 conflicts that are not resolved yet, and why. */
      waiting: z.array(z.object({ path: z.string(), why: z.string() })),
    }),
  },
} as const;
