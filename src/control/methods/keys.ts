/** Methods on access keys of the embedded store. A secret is told by `credentials` alone. */

import { z } from 'zod';

import { empty, namedUserSchema } from './people.ts';

const accessKeyId = z.string().min(1).max(256);

/** Longer than any change-over takes: a key that is to be replaced must not live for years beside the new one. */
export const MAX_GRACE_MS = 90 * 86_400_000;

export const keySchema = z.object({
  accessKeyId: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  fullAccess: z.boolean(),
  /** Its user is: nobody signs with it until that ends. */
  disabled: z.boolean(),
  createdAt: z.number(),
  /** From then on it is no key any more; absent: until it is removed. */
  expiresAt: z.number().optional(),
});

export const KEY_METHODS = {
  credentials: {
    /** Absent: the newest key of the user that the daemon acts for. */
    params: z.object({ accessKeyId: accessKeyId.optional() }),
    result: z.object({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      region: z.string(),
      endpointUrl: z.string(),
      /** Where HTTPS is configured. */
      tlsEndpointUrl: z.string().optional(),
      /** Where the cluster service listens. */
      clusterUrl: z.string().optional(),
      projectId: z.string(),
    }),
  },
  'keys.list': { params: empty, result: z.object({ keys: z.array(keySchema) }) },
  /** A further key of a user. */
  'keys.add': { params: namedUserSchema, result: keySchema },
  /** A new key takes the place of an old one, which ends after the grace. */
  'keys.rotate': {
    params: z.object({
      accessKeyId: accessKeyId.optional(),
      graceMs: z.number().int().min(0).max(MAX_GRACE_MS),
    }),
    result: z.object({ key: keySchema, old: keySchema }),
  },
  'keys.remove': { params: z.object({ accessKeyId }), result: empty },
} as const;
