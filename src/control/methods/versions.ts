/** Declares the control method that returns the locks of many versions at once. Lists use it. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { atTarget } from './target.ts';

/** The maximum number of versions in a request. It is more than a screen shows. */
const MAX_OBJECTS = 200;

export const VERSION_METHODS = {
  /**
   * Returns the locks of versions in the order of the request. The storage protocol returns the lock of only one
   * version per request, so each version costs a request.
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
           * The storage protocol's error code if the lock could not be read: `NoSuchKey`, or `MethodNotAllowed` for a
           * delete marker.
           */
          code: z.string().optional(),
        }),
      ),
    }),
  },
} as const;
