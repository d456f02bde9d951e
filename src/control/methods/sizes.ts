/** Defines the control method that returns the sizes of the folders in a bucket. */

import { z } from 'zod';

import { atTarget } from './target.ts';

/** The maximum number of folders in a result. */
export const MAX_SIZED_FOLDERS = 1_000;

const sums = z.object({
  /** The number and size of the current versions that are objects. */
  objects: z.number().int(),
  bytes: z.number(),
  /** The number and size of the older versions. */
  olderVersions: z.number().int(),
  olderBytes: z.number(),
  deleteMarkers: z.number().int(),
  /** The time of the newest version or delete marker, in milliseconds since 1970. */
  newestAt: z.number(),
  /** The size of all versions by age: up to a day, a week, 30 days, a year, and older. */
  bytesByAge: z.array(z.number()).length(5),
});

export const SIZE_METHODS = {
  /**
   * Returns the sizes of a folder and of its subfolders. They are counted in the background by listing all versions of
   * the bucket. The listing costs a remote service one request per 1,000 versions. It costs the embedded store about 10
   * ms of CPU time per 1,000 versions. Until the first count is complete, the result has no sizes.
   */
  'folders.sizes': {
    summary: 'return the sizes of the folders in a bucket',
    danger: 'reads',

    params: z.object({
      bucket: z.string().min(1).max(255),
      /** The prefix of the folder. Empty, or ends in `/`. */
      prefix: z.string().max(4096),
      /**
       * When to start a count. `missing` starts a count if there is none. For the embedded store, it also starts a
       * count if the bucket has changed since the last count and the last count is at least 30 seconds old. `again`
       * always starts a count.
       */
      count: z.enum(['never', 'missing', 'again']),
      ...atTarget,
    }),
    result: z.object({
      isCounting: z.boolean(),
      /** The number of versions and delete markers that the running count has listed. */
      listed: z.number().int(),
      /** Why the last count of the folder sizes failed. */
      error: z.string().optional(),
      /** When the last complete count started, in milliseconds since 1970. */
      countedAt: z.number().optional(),
      /**
       * Whether the bucket has changed since that count. Absent for remote services, because they do not report
       * changes.
       */
      hasChanged: z.boolean().optional(),
      /** The totals of the folder. Absent before the first count, and if the folder has no versions. */
      folder: sums.optional(),
      /** The subfolders, the largest first. */
      folders: z.array(sums.extend({ prefix: z.string() })).max(MAX_SIZED_FOLDERS),
      /** The number of subfolders that are not in the list. */
      moreFolders: z.number().int(),
      /** True if the subfolders were not counted separately because the bucket has too many folders. */
      isDeepest: z.boolean(),
    }),
  },
} as const;
