/** Methods on what a job's tree was at a time, and on making that current again. */

import { z } from 'zod';

import { restoreResultSchema } from '../shapes.ts';
import { subjectSchema } from './restore.ts';

const factsSchema = z.object({
  sizeBytes: z.number(),
  lastModifiedAt: z.number(),
  versionId: z.string(),
});

/** One object of a tree; paths are below the job's folder, those of folders end in `/`. */
export const treeRowSchema = factsSchema.extend({ path: z.string() });

export const differenceRowSchema = z.object({
  path: z.string(),
  /** `attributes`: another version with the same bytes. */
  is: z.enum(['added', 'removed', 'changed', 'attributes']),
  before: factsSchema.optional(),
  after: factsSchema.optional(),
});

export type DifferenceRow = Readonly<z.infer<typeof differenceRowSchema>>;

const undoStepSchema = treeRowSchema.extend({
  /** Whether it is the current version already: then only the file is brought back. */
  isCurrent: z.boolean(),
});

/** More than a screen shows, and few enough to be looked at. */
const MAX_FOLDER_ROWS = 1000;
const MAX_MOMENTS = 1000;

const folderCursor = z.object({
  keyMarker: z.string(),
  versionIdMarker: z.string().optional(),
  isDecided: z.boolean().optional(),
});

export const HISTORY_METHODS = {
  /**
   * What was directly in a folder at a time, by pages of its listing, which may have fewer rows than `limit`, or none. Folders
   * end in `/`; `isUncertain`: it has so many versions that whether it had a file then was not looked at to the end.
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
      entries: z.array(
        factsSchema.partial().extend({ path: z.string(), isUncertain: z.literal(true).optional() }),
      ),
      next: folderCursor.optional(),
    }),
  },
  /** When something at the path or below changed, by the second, the newest first. Of 50,000 versions at most. */
  'history.moments': {
    params: subjectSchema.extend({ limit: z.number().int().min(1).max(MAX_MOMENTS) }),
    result: z.object({
      job: z.string(),
      moments: z.array(z.object({ at: z.number(), changes: z.number().int() })),
      isComplete: z.boolean(),
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
  /** What `history.undo` would do: the first 1,000 paths. */
  'history.planUndo': {
    params: subjectSchema.extend({ at: z.number().optional(), versionId: z.string().optional() }),
    result: z.object({ to: z.string(), steps: z.array(undoStepSchema), total: z.number().int() }),
  },
} as const;
