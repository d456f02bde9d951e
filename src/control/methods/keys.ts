/** Declares the control methods on access keys of the embedded store. Only `credentials` returns a secret. */

import { z } from 'zod';

import { empty, namedUserSchema } from './people.ts';

const accessKeyId = z.string().min(1).max(256);

/**
 * Maximum time for which a replaced key stays valid: 90 days. That is longer than any key rotation takes, and a
 * replaced key must not stay valid for years.
 */
export const MAX_GRACE_MS = 90 * 86_400_000;

export const keySchema = z.object({
  accessKeyId: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  fullAccess: z.boolean(),
  /** Whether the key's user is disabled. Requests with the key are rejected until the user is enabled again. */
  disabled: z.boolean(),
  createdAt: z.number(),
  /** When the key expires, in milliseconds since 1970; absent if it does not expire. */
  expiresAt: z.number().optional(),
});

export const KEY_METHODS = {
  credentials: {
    /** If `accessKeyId` is absent, the newest key of the user that the daemon acts for is returned. */
    params: z.object({ accessKeyId: accessKeyId.optional() }),
    result: z.object({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      region: z.string(),
      endpointUrl: z.string(),
      /** Present if HTTPS is configured. */
      tlsEndpointUrl: z.string().optional(),
      /** URL of the local cluster service; absent if it does not listen. */
      clusterUrl: z.string().optional(),
      projectId: z.string(),
    }),
  },
  'keys.list': { params: empty, result: z.object({ keys: z.array(keySchema) }) },
  /** Creates another key for a user. */
  'keys.add': { params: namedUserSchema, result: keySchema },
  /**
   * Creates a key that replaces an old one, which stays valid for `graceMs` milliseconds. If `accessKeyId` is absent,
   * replaces the newest key of the user that the daemon acts for.
   */
  'keys.rotate': {
    params: z.object({
      accessKeyId: accessKeyId.optional(),
      graceMs: z.number().int().min(0).max(MAX_GRACE_MS),
    }),
    result: z.object({ key: keySchema, old: keySchema }),
  },
  'keys.remove': { params: z.object({ accessKeyId }), result: empty },
} as const;
