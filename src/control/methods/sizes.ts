/** Declares the control method that returns the sizes of the folders in a bucket. */

import { z } from 'zod';

import { atTarget } from './target.ts';

/** Maximum number of folders in a result. */
export const MAX_SIZED_FOLDERS = 1_000;

const sums = z.object({
  /** Number and size of the current versions that are objects. */
  objects: z.number().int(),
  bytes: z.number(),
  /** Number and size of the older versions. */
  olderVersions: z.number().int(),
  olderBytes: z.number(),
  deleteMarkers: z.number().int(),
  /** Time of the newest version or delete marker, in milliseconds since 1970. */
  newestAt: z.number(),
  /** Size of all versions by age: at most a day, a week, 30 days, a year, and older. */
  bytesByAge: z.array(z.number()).length(5),
});

export const SIZE_METHODS = {
  /**
   * Returns the sizes of a folder and of the folders in it. They are counted in the background from a list of all versions of
   * the bucket, which costs a remote service one request for 1,000 versions, and the embedded store about 10 ms of CPU time.
   * Until the first count is complete, the result has no sizes.
   */
  'folders.sizes': {
    summary: 'return the sizes of the folders in a bucket',
    danger: 'reads',

    params: z.object({
      bucket: z.string().min(1).max(255),
      /** Empty, or ends in `/`. */
      prefix: z.string().max(4096),
      /**
       * `missing` starts a count if there is none, or if the embedded store has changed since the last one and the last one
       * is at least 30 seconds old. `again` starts a count in any case.
       */
      count: z.enum(['never', 'missing', 'again']),
      ...atTarget,
    }),
    result: z.object({
      isCounting: z.boolean(),
      /** Number of versions and delete markers that the running count has listed. */
      listed: z.number().int(),
      /** Why the last count failed. */
      error: z.string().optional(),
      /** Start of the last complete count, in milliseconds since 1970. */
      countedAt: z.number().optional(),
      /** Whether the bucket has changed since. Absent for remote services, which do not report changes. */
      hasChanged: z.boolean().optional(),
      /** Sums of the folder. Absent without a count, and if the folder has no versions. */
      folder: sums.optional(),
      /** The folders in it, the largest first. */
      folders: z.array(sums.extend({ prefix: z.string() })).max(MAX_SIZED_FOLDERS),
      /** Number of folders that are not in the list. */
      moreFolders: z.number().int(),
      /** Whether the folders in it were not counted separately, because the bucket has too many. */
      isDeepest: z.boolean(),
    }),
  },
} as const;
