/** Defines the control method that returns the locks of many versions at once, for lists of versions. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { atTarget } from './target.ts';

/** The maximum number of versions in a request. It is more than a screen shows. */
const MAX_OBJECTS = 200;

export const VERSION_METHODS = {
  /**
   * Returns the locks of versions in the order of the request. The S3 protocol returns the lock of only one version per
   * request, so the daemon sends one request for each version.
   */
  'versions.locks': {
    summary: 'return the locks of many versions',
    danger: 'reads',

    params: z.object({
      bucket: z.string().min(1).max(255),
      objects: z
        .array(z.object({ key: z.string().min(1).max(4096), versionId: z.string().optional() }))
        .min(1)
        .max(MAX_OBJECTS),
      ...atTarget,
    }),
    result: z.object({
      objects: z.array(
        z.object({
          versionId: z.string().optional(),
          retention: retentionSchema.optional(),
          legalHold: z.boolean().optional(),
          /**
           * The S3 error code if the lock could not be read: `NoSuchKey`, or `MethodNotAllowed` for a delete marker.
           */
          code: z.string().optional(),
        }),
      ),
    }),
  },
} as const;
