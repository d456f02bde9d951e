/** Methods on the locks of many versions at once, for lists that show them. */

import { z } from 'zod';

import { retentionSchema } from './objects.ts';
import { atTarget } from './target.ts';

/** More than a screen shows. */
const MAX_LOOKED_AT = 200;

export const VERSION_METHODS = {
  /** In the order that was asked for; services tell locks of one object at a time, so each costs a request. */
  'versions.locks': {
    params: z.object({
      bucket: z.string().min(1).max(255),
      objects: z
        .array(z.object({ key: z.string().min(1).max(4096), versionId: z.string().optional() }))
        .min(1)
        .max(MAX_LOOKED_AT),
      ...atTarget,
    }),
    result: z.object({
      objects: z.array(
        z.object({
          versionId: z.string().optional(),
          retention: retentionSchema.optional(),
          legalHold: z.boolean().optional(),
          /** The storage protocol's code, where it is not told: `NoSuchKey`, `MethodNotAllowed` of a delete marker. */
          code: z.string().optional(),
        }),
      ),
    }),
  },
} as const;
