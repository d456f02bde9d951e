/**
 * Defines the control methods that read a job's files as of a past time, and that make older versions current again.
 */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';
import { retentionSchema } from './objects.ts';
import { subjectSchema, versionsBack } from './restore.ts';

const factsSchema = z.object({
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  versionId: z.string(),
});

/**
 * An object of a job. `path` is relative to the job's folder. The path of a folder ends in `/`. `isUncertain` is set if
 * the version at the requested time is unknown, because the service may have changed the date of a newer version.
 */
export const treeRowSchema = factsSchema
  .partial()
  .extend({ path: z.string(), isUncertain: z.literal(true).optional() });

const comparedFacts = factsSchema.extend({ etag: z.string() });

export const differenceRowSchema = z.object({
  path: z.string(),
  /**
   * The kind of difference. `attributes`: another version with the same bytes. `uncertain`: the version at one of the
   * times is unknown.
   */
  is: z.enum(['added', 'removed', 'changed', 'attributes', 'uncertain']),
  before: comparedFacts.optional(),
  after: comparedFacts.optional(),
});

const filesSchema = z.object({ files: z.number().int(), bytes: z.number() });

/**
 * The files of a subfolder, or one changed file, at a time (`before`) and now (`after`). `added`, `changed`, `removed`
 * and `uncertain` count the objects that differ. If there are uncertain objects, the sums may be wrong.
 */
export const entrySumsSchema = z.object({
  path: z.string(),
  before: filesSchema,
  after: filesSchema,
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  uncertain: z.number().int(),
});

/** A version or delete marker of a file. `back` is the `N` of `PATH~N`. */
export const fileVersionSchema = factsSchema.extend({
  back: z.number().int(),
  kind: z.enum(['version', 'delete-marker']),
  /** The ETag of the version. Absent for a delete marker. */
  etag: z.string().optional(),
  /** The SHA-256 of the content in lower-case hex. Absent if this job did not record it. */
  sha256: z.string().optional(),
  isSymlink: z.literal(true).optional(),
  /** Set if the version may be older than `lastModifiedAt`, because the service may have changed its date. */
  isUndated: z.literal(true).optional(),
  /**
   * Which client wrote the version. It is `unknown` for a delete marker, and if the metadata cannot be read. While the
   * provenance key of the job cannot be read, it is also `unknown` for all versions that Holdfast wrote.
   */
  writer: z.enum(['this-job', 'other-computer', 'other-client', 'unknown']),
  /** The path from which, or to which, the file was moved. Absent if the file was not moved or this is unknown. */
  movedFrom: z.string().optional(),
  movedTo: z.string().optional(),
  retention: retentionSchema.optional(),
  legalHold: z.boolean().optional(),
});

/** A change of a file. For `removed`, the size and the ETag are those of the version before the change. */
export const changeRowSchema = z.object({
  path: z.string(),
  at: z.number(),
  is: z.enum(['added', 'changed', 'removed', 'attributes']),
  sizeBytes: z.number(),
  etag: z.string(),
  isUndated: z.literal(true).optional(),
});

export type FileVersion = Readonly<z.infer<typeof fileVersionSchema>>;
export type ChangeRow = Readonly<z.infer<typeof changeRowSchema>>;
export type TreeRow = Readonly<z.infer<typeof treeRowSchema>>;
export type EntrySums = Readonly<z.infer<typeof entrySumsSchema>>;
export type DifferenceRow = Readonly<z.infer<typeof differenceRowSchema>>;

const undoStepSchema = factsSchema.extend({
  path: z.string(),
  /** Whether the version is already current. If it is, only the local file is restored. */
  isCurrent: z.boolean(),
  /** The path to which the file was moved, which the undo would remove. */
  movedTo: z.string().optional(),
});

/** The maximum number of rows in a page. It is more than a screen shows, and small enough to compute quickly. */
const MAX_FOLDER_ROWS = 1000;
const MAX_MOMENTS = 1000;

const folderCursor = z.object({
  keyMarker: z.string(),
  versionIdMarker: z.string().optional(),
});

export const HISTORY_METHODS = {
  /**
   * Lists the entries of a folder as of a time, in pages. A page can have fewer rows than `limit`, or no rows. The path
   * of a folder ends in `/`. `isUncertain` is set on a folder that has too many versions to examine. It is also set on
   * an entry if the service may have changed the date of a newer version.
   */
  'history.folder': {
    summary: 'list the entries of a folder as of a time',
    danger: 'reads',

    params: subjectSchema.extend({
      at: z.number(),
      /** The value of `next` from the previous page. Absent for the first page. */
      after: folderCursor.optional(),
      limit: z.number().int().min(1).max(MAX_FOLDER_ROWS),
    }),
    result: z.object({
      job: z.string(),
      entries: z.array(treeRowSchema.extend({ etag: z.string().optional() })),
      next: folderCursor.optional(),
    }),
  },
  /**
   * Lists the seconds in which an object at or below the path changed, newest first. Stops after 50,000 versions. In
   * that case, `isComplete` is false. `undated` is the number of versions whose date the service may have changed. They
   * are listed at that date.
   */
  'history.moments': {
    summary: 'list the times at which objects at or below a path changed, newest first',
    danger: 'reads',

    params: subjectSchema.extend({ limit: z.number().int().min(1).max(MAX_MOMENTS) }),
    result: z.object({
      job: z.string(),
      moments: z.array(z.object({ at: z.number(), changes: z.number().int() })),
      isComplete: z.boolean(),
      undated: z.number().int(),
    }),
  },
  /**
   * Opens a stream of the versions and delete markers of a file, newest first. The stream is empty if the path is not a
   * file. `file` is the absolute path of the local file.
   */
  'history.versions': {
    summary: 'return the versions of a file, with their writers and locks, as a stream',
    danger: 'reads',

    params: subjectSchema,
    result: z.object({
      job: z.string(),
      path: z.string().optional(),
      file: z.string(),
      stream: z.string(),
    }),
  },
  /** Opens a stream of the file changes within a period, in path order. */
  'history.changes': {
    summary: 'return the changes of files within a period, as a stream',
    danger: 'reads',

    params: subjectSchema.extend({ from: z.number().optional(), to: z.number().optional() }),
    result: z.object({ job: z.string(), path: z.string().optional(), stream: z.string() }),
  },
  /** Opens a stream with the bytes of one version of a file. */
  'history.read': {
    summary: 'return the content of one version of a file, as a stream',
    danger: 'reads',

    params: subjectSchema.extend({ versionId: z.string() }),
    result: z.object({ stream: z.string() }),
  },
  /** Opens a stream of a job's objects as of a time, by the service's clock. */
  'history.list': {
    summary: 'return the tree of a job as of a time, as a stream',
    danger: 'reads',

    params: subjectSchema.extend({ at: z.number() }),
    result: z.object({ job: z.string(), stream: z.string() }),
  },
  /**
   * Opens a stream of the paths that differ between two times. If `to` is absent, compares with the current objects.
   */
  'history.compare': {
    summary: 'return the paths that differ between two times, as a stream',
    danger: 'reads',

    params: subjectSchema.extend({ from: z.number(), to: z.number().optional() }),
    result: z.object({ job: z.string(), stream: z.string() }),
  },
  /**
   * Opens a stream of the subfolders of a folder, each with its files and bytes at a time and now, and of the files that
   * differ. Lists all versions below the folder.
   */
  'history.sums': {
    summary: 'return the files and bytes of each subfolder at a time and now, as a stream',
    danger: 'reads',

    params: subjectSchema.extend({ at: z.number() }),
    result: z.object({ job: z.string(), stream: z.string() }),
  },
  /**
   * Copies an older version to make it current, and restores it to the folder. If the file was moved and has no older
   * version under its new name, the file gets its earlier name back. The parameters `id` and `stays` have the same
   * meaning as in `restore.run`.
   */
  'history.undo': {
    summary: 'make an earlier version of a file current again',
    danger: 'changes',

    params: subjectSchema.extend({
      at: z.number().optional(),
      versionId: z.string().optional(),
      versionsBack,
      /** Reverses the last undo of the job. The path and the version are ignored. */
      redo: z.literal(true).optional(),
      id: z.string(),
      stays: z.boolean().optional(),
    }),
    result: restoreResultSchema.extend({
      job: z.string(),
      /** The number of older versions that the undo made current again. */
      copied: z.number().int(),
      /** The number of files and folders that a redo removed because they did not exist before the undo. */
      removed: z.number().int(),
      /** The first of the versions that the undo made current again. */
      first: z
        .object({ path: z.string(), lastModifiedAt: z.number(), sizeBytes: z.number() })
        .optional(),
      /**
       * The earlier move of the file. If `isTakenBack` is true, the file at `to` was removed. Otherwise it still exists
       * there.
       */
      moved: z.object({ from: z.string(), to: z.string(), isTakenBack: z.boolean() }).optional(),
    }),
  },
  /**
   * Returns what `history.undo` would do. `undated` lists the paths that it would leave unchanged because their version
   * at that time is unknown. Both lists have at most 1,000 paths.
   */
  'history.planUndo': {
    summary: 'return what `history.undo` would do',
    danger: 'reads',
    params: subjectSchema.extend({
      at: z.number().optional(),
      versionId: z.string().optional(),
      versionsBack,
    }),
    result: z.object({
      to: z.string(),
      steps: z.array(undoStepSchema),
      total: z.number().int(),
      undated: z.array(z.string()),
      undatedCount: z.number().int(),
    }),
  },
} as const;
