/** Keys of customers, and the method that changes them. A key crosses in the one message that needs it, and is logged nowhere. */

import { z } from 'zod';

import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);

/** Base64 of 32 bytes. */
export const customerKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be base64 of 32 bytes');

export const ENCRYPTION_METHODS = {
  /**
   * The object as it is, but under another key: from `sourceCustomerKey`, absent for a plain one, to `customerKey`,
   * absent for none. `olderVersionId` is the version that stays as it was, where there is one.
   */
  'objects.encrypt': {
    params: z.object({
      bucket,
      key,
      sourceCustomerKey: customerKeySchema.optional(),
      customerKey: customerKeySchema.optional(),
      ...atTarget,
    }),
    result: z.object({
      etag: z.string(),
      versionId: z.string().optional(),
      olderVersionId: z.string().optional(),
    }),
  },
} as const;
