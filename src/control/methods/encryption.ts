/**
 * Defines the schema of customer-provided keys (SSE-C), and the control method that changes an object's key. A key is
 * sent only in messages that need it, and is never logged.
 */

import { z } from 'zod';

import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const key = z.string().min(1).max(4096);

/** A customer-provided encryption key: 32 bytes in base64. */
export const customerKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be base64 of 32 bytes');

export const ENCRYPTION_METHODS = {
  /**
   * Copies an object onto itself with another customer-provided key. `sourceCustomerKey` is the current key, and is
   * absent if the object has none. `customerKey` is the new key. If it is absent, the object is stored without a
   * customer-provided key. `olderVersionId` is the version that is still encrypted with the current key. It is absent
   * if no such version remains.
   */
  'objects.encrypt': {
    summary: 'copy an object onto itself under another customer key',
    danger: 'changes',

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
