/** Methods on what a job's tree was at a time, and on making that current again. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';
import { subjectSchema } from './restore.ts';

const factsSchema = z.object({
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  versionId: z.string(),
});

/**
 * One object of a tree; paths are below the job's folder, those of folders end in `/`. `isUncertain`: the service may have
 * changed the date of a newer version, so that it is not known which one existed then.
 */
export const treeRowSchema = factsSchema
  .partial()
  .extend({ path: z.string(), isUncertain: z.literal(true).optional() });

export const differenceRowSchema = z.object({
  path: z.string(),
  /** `attributes`: another version with the same bytes. `uncertain`: what it was at one of the times is not known. */
  is: z.enum(['added', 'removed', 'changed', 'attributes', 'uncertain']),
  before: factsSchema.optional(),
  after: factsSchema.optional(),
});

export type TreeRow = Readonly<z.infer<typeof treeRowSchema>>;
export type DifferenceRow = Readonly<z.infer<typeof differenceRowSchema>>;

const undoStepSchema = factsSchema.extend({
  path: z.string(),
  /** Whether it is the current version already: then only the file is brought back. */
  isCurrent: z.boolean(),
});

/** More than a screen shows, and few enough to be looked at. */
const MAX_FOLDER_ROWS = 1000;
const MAX_MOMENTS = 1000;

const folderCursor = z.object({
  keyMarker: z.string(),
  versionIdMarker: z.string().optional(),
});

export const HISTORY_METHODS = {
  /**
   * What was directly in a folder at a time, by pages of its listing, which may have fewer rows than `limit`, or none. Folders
   * end in `/`; `isUncertain`: it has so many versions that not all were examined, or the service may have changed the date
   * of a newer one.
   */
  'history.folder': {
    params: subjectSchema.extend({
      at: z.number(),
      /** `next` of the page before. */
      after: folderCursor.optional(),
      limit: z.number().int().min(1).max(MAX_FOLDER_ROWS),
    }),
    result: z.object({
      job: z.string(),
      entries: z.array(treeRowSchema),
      next: folderCursor.optional(),
    }),
  },
  /**
   * When something at the path or below changed, by the second, the newest first. Of 50,000 versions at most. `undated`: versions
   * that are counted at a date that the service may have changed.
   */
  'history.moments': {
    params: subjectSchema.extend({ limit: z.number().int().min(1).max(MAX_MOMENTS) }),
    result: z.object({
      job: z.string(),
      moments: z.array(z.object({ at: z.number(), changes: z.number().int() })),
      isComplete: z.boolean(),
      undated: z.number().int(),
    }),
  },
  /** A stream of the rows of a job's tree as it was, by the service's clock. */
  'history.list': {
    params: subjectSchema.extend({ at: z.number() }),
    result: z.object({ job: z.string(), stream: z.string() }),
  },
  /** A stream of rows for what differs between two times; `to` absent means now. */
  'history.compare': {
    params: subjectSchema.extend({ from: z.number(), to: z.number().optional() }),
    result: z.object({ job: z.string(), stream: z.string() }),
  },
  /** Copies an older version forward, and writes it into the folder. `id` and `stays` as in `restore.run`. */
  'history.undo': {
    params: subjectSchema.extend({
      at: z.number().optional(),
      versionId: z.string().optional(),
      id: z.string(),
      stays: z.boolean().optional(),
    }),
    result: restoreResultSchema.extend({ copied: z.number().int() }),
  },
  /** What `history.undo` would do, and what it leaves since it is not known what it was then: the first 1,000 paths of each. */
  'history.planUndo': {
    params: subjectSchema.extend({ at: z.number().optional(), versionId: z.string().optional() }),
    result: z.object({
      to: z.string(),
      steps: z.array(undoStepSchema),
      total: z.number().int(),
      undated: z.array(z.string()),
      undatedCount: z.number().int(),
    }),
  },
} as const;
