/** Methods on download links: addresses that let whoever has them do one thing with one object. */

import { z } from 'zod';

import { empty } from './people.ts';
import { atTarget } from './target.ts';

/** Seven days, the protocol's own limit. */
export const MAX_LINK_SECONDS = 604_800;

export const LINK_METHODS = {
  'links.create': {
    params: z.object({
      bucket: z.string().min(1).max(255),
      key: z.string().min(1).max(4096),
      /** Of `get` only; absent: whichever version is current when the link is followed. */
      versionId: z.string().optional(),
      does: z.enum(['get', 'put']),
      expiresSeconds: z.number().int().min(1).max(MAX_LINK_SECONDS),
      /** `https://files.example.com`: what the link is to begin with; absent: where the store is served. */
      origin: z.string().optional(),
      ...atTarget,
    }),
    /** `local`: only this machine reaches the address. */
    result: z.object({ url: z.string(), expiresAt: z.number(), local: z.boolean() }),
  },
  /** Every link that was made before ends. */
  'links.revoke': { params: empty, result: empty },
} as const;
