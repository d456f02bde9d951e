/**
 * Defines the control methods for presigned URLs. A presigned URL allows its holder to perform one operation on one
 * object.
 */

import { z } from 'zod';

import { empty } from './people.ts';
import { atTarget } from './target.ts';

/** The longest lifetime of a presigned URL in the S3 protocol: seven days. */
export const MAX_LINK_SECONDS = 604_800;

export const LINK_METHODS = {
  'links.create': {
    summary: 'create a presigned URL for one object',
    danger: 'changes',

    params: z.object({
      bucket: z.string().min(1).max(255),
      key: z.string().min(1).max(4096),
      /**
       * The version to download. Valid only with `get`. If absent, the URL returns the version that is current when it
       * is used.
       */
      versionId: z.string().optional(),
      does: z.enum(['get', 'put']),
      expiresSeconds: z.number().int().min(1).max(MAX_LINK_SECONDS),
      /**
       * The beginning of the URL, such as `https://files.example.com`. If absent, the address of the embedded store is
       * used.
       */
      origin: z.string().optional(),
      ...atTarget,
    }),
    /** `local` is true if the URL is reachable only from this machine. */
    result: z.object({ url: z.string(), expiresAt: z.number(), local: z.boolean() }),
  },
  /** Revokes all existing presigned URLs of the embedded store. */
  'links.revoke': {
    summary: 'revoke all presigned URLs of the embedded store',
    danger: 'destroys',
    params: empty,
    result: empty,
  },
} as const;
