/** Declares the control methods on presigned URLs. A presigned URL allows any holder one operation on one object. */

import { z } from 'zod';

import { empty } from './people.ts';
import { atTarget } from './target.ts';

/** Seven days, the maximum of the storage protocol. */
export const MAX_LINK_SECONDS = 604_800;

export const LINK_METHODS = {
  'links.create': {
    summary: 'create a presigned URL for one object',
    danger: 'changes',

    params: z.object({
      bucket: z.string().min(1).max(255),
      key: z.string().min(1).max(4096),
      /** Version to download, only with `get`; absent for the version that is current when the URL is used. */
      versionId: z.string().optional(),
      does: z.enum(['get', 'put']),
      expiresSeconds: z.number().int().min(1).max(MAX_LINK_SECONDS),
      /**
       * Beginning of the URL, such as `https://files.example.com`; absent for the address at which the store is served.
       */
      origin: z.string().optional(),
      ...atTarget,
    }),
    /** `local` is true if only this machine can reach the URL. */
    result: z.object({ url: z.string(), expiresAt: z.number(), local: z.boolean() }),
  },
  /** Revokes all presigned URLs of the embedded store that were created before. */
  'links.revoke': {
    summary: 'revoke all presigned URLs of the embedded store',
    danger: 'destroys',
    params: empty,
    result: empty,
  },
} as const;
