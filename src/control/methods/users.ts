/** Declares the control methods on users of the embedded store. */

import { z } from 'zod';

import { keySchema } from './keys.ts';
import { again, empty, namedUserSchema } from './people.ts';

export const userSchema = z.object({
  /** Storage user ID, `project:user@customer`. */
  id: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  /** Whether the user has full access, either directly or through a group. */
  fullAccess: z.boolean(),
  granted: z.boolean(),
  groups: z.array(z.string()),
  disabled: z.boolean(),
  createdAt: z.number(),
});

export const USER_METHODS = {
  /** Returns the data that a user needs to reach the embedded store, without the secret. */
  whoami: {
    params: namedUserSchema,
    result: userSchema.extend({
      /** ID of the project in ACLs and other tools, `project@customer`. */
      grantee: z.string(),
      projectEmail: z.string().optional(),
      region: z.string(),
      /** Present while the daemon runs. */
      endpointUrl: z.string().optional(),
      tlsEndpointUrl: z.string().optional(),
    }),
  },
  'users.list': { params: empty, result: z.object({ users: z.array(userSchema) }) },
  /** Adds a user to an existing project. Returns the user's first key. */
  'users.add': {
    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean(), again }),
    result: keySchema,
  },
  /**
   * Removes a user and the user's keys from the project. Rejects with `Conflict` while the user owns buckets, and for
   * the user that jobs act for.
   */
  'users.remove': { params: namedUserSchema.required({ user: true }), result: empty },
  /** Grants or revokes full access. Access through groups stays unchanged. */
  'users.grant': {
    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean() }),
    result: userSchema,
  },
  /** Disables or enables a user, in all projects of the customer. */
  'users.disable': {
    params: namedUserSchema.required({ user: true }).extend({ disabled: z.boolean() }),
    result: userSchema,
  },
} as const;
